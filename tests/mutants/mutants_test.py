#!/usr/bin/env python3
"""The mutants' own tests: what counts as proof, what as killed, and that the catalogue fits the tree."""

import collections
import contextlib
import io
import os
import shlex
import shutil
import stat
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

sys.dont_write_bytecode = True

import catalogue  # noqa: E402
import mutants  # noqa: E402
import report  # noqa: E402
import trials  # noqa: E402
from builds import BuildFolder, CannotBuild  # noqa: E402

ENTRY = catalogue.Mutant(room="room", name="wrong", claim="It is wrong.", file="a.hpp", passage="right", replacement="wrong",
                         target="a_test", test="a.holds", timeout=5)
PASSES = "[==========] 1 test from 1 test suite ran.\n[  PASSED  ] 1 test.\n"


def program(folder, text):
    path = Path(folder) / "program"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


class TreeTest(unittest.TestCase):
    def test_the_catalogue_fits_the_tree(self):
        everything, hazards = catalogue.load_mutants(), catalogue.load_hazards()
        self.assertEqual(list(catalogue.misfits(str(mutants.ROOT), everything, hazards)), [])

    def test_at_most_eight_mutants_are_excused_and_at_least_25_hazards_put_back(self):
        everything = catalogue.load_mutants()
        self.assertLessEqual(sum(bool(mutant.equivalent) for mutant in everything), 8)
        self.assertGreaterEqual(len({number for mutant in everything if not mutant.equivalent for number in mutant.hazards}), 25)

    def test_no_two_quick_ones_have_one_file_or_one_program_and_no_other_would_fit(self):
        everything = [mutant for mutant in catalogue.load_mutants() if not mutant.variant]
        quick = catalogue.quick(everything)
        files, programs = [mutant.file for mutant in quick], [mutant.target for mutant in quick]
        self.assertEqual((len(set(files)), len(set(programs))), (len(quick), len(quick)))
        rooms = collections.Counter(mutant.room for mutant in quick)
        self.assertEqual(set(rooms), {mutant.room for mutant in everything})
        self.assertLessEqual(max(rooms.values()), catalogue.QUICK_OF_A_ROOM)
        self.assertEqual([mutant.name for mutant in everything if rooms[mutant.room] < catalogue.QUICK_OF_A_ROOM
                          and mutant.file not in files and mutant.target not in programs], [])

    def test_the_quick_ones_have_two_variants_in_one_room(self):
        everything = catalogue.load_mutants()
        self.assertEqual(len({mutant.room for mutant in everything if mutant.variant}), 1, "ctest chooses the quick ones room by room")
        self.assertEqual(sum(bool(mutant.variant) for mutant in catalogue.quick(everything)), 2)


class CatalogueTest(unittest.TestCase):
    def test_a_passage_must_stand_exactly_once(self):
        self.assertEqual(ENTRY.mutate("all right here"), "all wrong here")
        for text in ("nothing", "right, right"):
            with self.assertRaisesRegex(catalogue.BadCatalogue, "not once"):
                ENTRY.mutate(text)

    def test_a_passage_is_found_however_it_is_broken_and_commented(self):
        broken = replace(ENTRY, passage="f(a, b) + c", replacement="\n0\n")
        self.assertEqual(broken.mutate("x = f(\n    a,  // first\n    b) + c;  // and so on"), "x = 0;  // and so on")
        for text in ("x = f(a, b) - c;", "x = f(ab) + c;"):
            with self.assertRaisesRegex(catalogue.BadCatalogue, "stands 0 times"):
                broken.mutate(text)

    def test_groups_share_what_their_mutants_do_not_say_themselves(self):
        shared = '[[group]]\nfile = "f"\ntarget = "t"\ntimeout = 3\n'
        entry = '[[group.mutant]]\nname = "{}"\nclaim = "c"\npassage = "p"\nreplacement = "q"\nhazards = [4]\n'
        first, second = catalogue.mutants_in("room", shared + entry.format("a") + entry.format("b") + "timeout = 9\n")
        self.assertEqual((first.timeout, second.timeout, first.hazards, first.room), (3, 9, (4,), "room"))

    def test_a_wrong_entry_is_named(self):
        for entry, complaint in (('name = "n"\n', "`claim` is missing"), ('name = "n"\ncolour = 1\n', "no field `colour`"),
                                 ('name = "n"\nclaim = "c"\nfile = "f"\ntarget = "t"\npassage = "p"\nreplacement = "q"\nvariant = "v"\n'
                                  'hazards = [1]\n', "a variant is no mistake")):
            with self.assertRaisesRegex(catalogue.BadCatalogue, complaint):
                list(catalogue.mutants_in("room", f"[[group]]\n[[group.mutant]]\n{entry}"))

    def test_a_test_that_does_not_exist_is_named(self):
        lost = replace(ENTRY, file="tests/mutants/README.md", passage="# mutants", test="deque.flies:deque.its_owner_pops_the_youngest")
        hazard = catalogue.Hazard(7, "h", tests=("deque.swims",))
        wrong = list(catalogue.misfits(str(mutants.ROOT), [lost], [hazard]))
        self.assertEqual(wrong[:2], ["room.toml: wrong: there is no test deque.flies", "hazards.toml: 7: there is no test deque.swims"])

    def test_a_hazard_that_is_put_back_names_a_test_that_kills_it(self):
        put_back = replace(ENTRY, file="tests/mutants/README.md", passage="# mutants", test="deque.a_million_items_fit", hazards=(7,))
        named, unnamed = (catalogue.Hazard(7, "h", tests=(test,))
                          for test in ("deque.a_million_items_fit", "deque.its_owner_pops_the_youngest"))
        self.assertEqual(list(catalogue.misfits(str(mutants.ROOT), [put_back], [named])), [])
        wrong = ["hazards.toml: 7: wrong put it back, and none of the tests that kill them is named; name one of deque.a_million_items_fit"]
        self.assertEqual(list(catalogue.misfits(str(mutants.ROOT), [put_back], [unnamed])), wrong)
        for excused in ([replace(put_back, equivalent="it is the same")], []):
            wrong = ["hazards.toml: 7: no mutant puts it back; write one, or say why it cannot occur"]
            self.assertEqual(list(catalogue.misfits(str(mutants.ROOT), excused, [named])), wrong)

    def test_what_waits_for_a_room_that_is_there_is_named(self):
        planned, built = (catalogue.Hazard(7, "h", later=room) for room in ("attic", "queue"))
        self.assertEqual(list(catalogue.misfits(str(mutants.ROOT), [], [planned])), [])
        wrong = ["hazards.toml: 7: room queue is there; name the tests, or say why it cannot occur"]
        self.assertEqual(list(catalogue.misfits(str(mutants.ROOT), [], [built])), wrong)

    def test_names_of_parameterised_tests_lose_what_the_program_adds(self):
        for name in ("workers/join_on.holds/0", "*join_on.holds/*", "join_on/2.holds", "join_on.holds"):
            self.assertEqual(catalogue.plain_name(name), "join_on.holds")


class TrialTest(unittest.TestCase):
    def run_of(self, text, mutant=ENTRY):
        with tempfile.TemporaryDirectory() as folder:
            return trials.run_test(program(folder, text), mutant, folder, mutant.timeout)

    def test_a_test_that_fails_kills(self):
        run = self.run_of("echo 'broken by execution 12'; exit 1")
        verdict = trials.judge(run, ENTRY)
        self.assertEqual((verdict.word, verdict.as_claimed, verdict.executions), ("killed", True, 12))

    def test_a_crash_kills(self):
        self.assertEqual(trials.judge(self.run_of("kill -SEGV $$"), ENTRY).word, "killed")

    def test_a_test_that_passes_lets_the_mistake_survive(self):
        verdict = trials.judge(self.run_of("exit 0"), ENTRY)
        self.assertEqual((verdict.word, verdict.as_claimed), ("survived", False))

    def test_a_failure_of_another_kind_is_told_apart(self):
        expects = replace(ENTRY, text="broken by execution [0-9]+")
        self.assertEqual(trials.judge(self.run_of("echo other; exit 1"), expects).word, "fails otherwise")

    def test_a_hang_kills_only_where_the_entry_says_so_and_leaves_no_process(self):
        short = replace(ENTRY, timeout=1)
        run = self.run_of("echo $$; sleep 1000", short)
        self.assertEqual((trials.judge(run, short).word, trials.judge(run, replace(short, hang=True)).word), ("never ends", "killed"))
        with self.assertRaises(ProcessLookupError):
            os.kill(int(run.output), 0)

    def test_an_equivalent_mutant_must_pass(self):
        excused = replace(ENTRY, equivalent="it is the same")
        self.assertTrue(trials.judge(self.run_of("exit 0"), excused).as_claimed)
        self.assertEqual(trials.judge(self.run_of("exit 1"), excused).word, "noticed")

    def test_a_variant_must_pass(self):
        choice = replace(ENTRY, variant="it is as good", timeout=1)
        holds = trials.judge(self.run_of("exit 0"), choice)
        self.assertEqual((holds.word, holds.as_claimed, holds.record()["kind"]), ("variant holds", True, "variant"))
        for text in ("exit 1", "sleep 1000"):
            fails = trials.judge(self.run_of(text, choice), choice)
            self.assertEqual((fails.word, fails.as_claimed), ("variant fails", False))

    def test_a_filter_that_matches_nothing_proves_nothing(self):
        self.assertTrue(trials.is_proof(trials.Run(0, PASSES, 0), ENTRY))
        self.assertFalse(trials.is_proof(trials.Run(0, PASSES.replace("] 1 test.", "] 0 tests."), 0), ENTRY))
        self.assertFalse(trials.is_proof(trials.Run(1, PASSES, 0), ENTRY))

    def test_the_environment_of_the_entry_reaches_the_test_and_that_of_long_runs_does_not(self):
        os.environ["FILCH_LONG"] = "1"
        try:
            run = self.run_of('echo "$COLOUR/$FILCH_LONG/"', replace(ENTRY, env={"COLOUR": "blue"}))
        finally:
            del os.environ["FILCH_LONG"]
        self.assertEqual(run.output, "blue//\n")


@unittest.skipUnless(all(map(shutil.which, ("cmake", "ninja", "c++"))), "needs cmake, ninja and a compiler")
class BuildTest(unittest.TestCase):
    """A library of two sources and a program that uses one of them, built, mutated and run."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.root = Path(cls.temporary.name)
        files = {
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(p CXX)\nadd_library(lib STATIC lib/sum.cpp lib/other.cpp)\n"
                              "target_include_directories(lib PUBLIC ${PROJECT_SOURCE_DIR})\nadd_executable(sum_test sum_test.cpp)\n"
                              "target_link_libraries(sum_test lib)\n",
            "lib/sum.hpp": "#pragma once\nint sum(int a, int b);\ninline int zero() { return 0; }\n",
            "lib/sum.cpp": "#include <lib/sum.hpp>\nint sum(int a, int b) { return a + b + zero(); }\n",
            "lib/other.cpp": "#include <lib/sum.hpp>\nint other() { return zero(); }\n",
            "sum_test.cpp": "#include <lib/sum.hpp>\nint main() { return sum(1, 2) == 3 && zero() == 0 ? 0 : 1; }\n",
        }
        for path, text in files.items():
            (cls.root / path).parent.mkdir(exist_ok=True)
            (cls.root / path).write_text(text, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            mutants_build = f"cmake -G Ninja -S {shlex.quote(str(cls.root))} -B {shlex.quote(str(cls.root / 'build'))}"
            cls.configured = os.system(f"{mutants_build} >{shlex.quote(str(cls.root / 'log'))} 2>&1")
        cls.build = BuildFolder(cls.root, cls.root / "build")
        cls.build.build(["sum_test"])

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def trial(self, **changes):
        mutant = replace(ENTRY, target="sum_test", test="", **changes)
        return mutants.trial(self.build, mutant, trials.run_test(self.build.program("sum_test"), mutant, self.root, 60))

    def test_a_mistake_in_a_source_of_the_library_is_killed(self):
        self.assertEqual(self.trial(file="lib/sum.cpp", passage="a + b", replacement="a - b").word, "killed")

    def test_a_mistake_in_a_header_reaches_program_and_library(self):
        verdict = self.trial(file="lib/sum.hpp", passage="return 0", replacement="return 1")
        self.assertEqual(verdict.word, "killed")

    def test_a_change_that_changes_nothing_survives(self):
        self.assertEqual(self.trial(file="lib/sum.cpp", passage="a + b", replacement="b + a").word, "survived")

    def test_a_mistake_that_does_not_compile_kills_nothing(self):
        verdict = self.trial(file="lib/sum.cpp", passage="a + b", replacement="a + c")
        self.assertEqual(verdict.word, "not built")
        self.assertIn("lib/sum.cpp", verdict.output)

    def test_a_file_that_the_program_does_not_use_is_named(self):
        verdict = self.trial(file="lib/other.cpp", passage="zero()", replacement="1")
        self.assertEqual(verdict.word, "not built")
        self.assertIn("sum_test has nothing of lib/other.cpp", verdict.output)

    def test_the_build_is_as_it_was(self):
        before = {path: path.stat().st_mtime_ns for path in self.root.rglob("*") if "mutants" not in path.parts and path.is_file()}
        self.trial(file="lib/sum.hpp", passage="return 0", replacement="return 1")
        after = {path: path.stat().st_mtime_ns for path in self.root.rglob("*") if "mutants" not in path.parts and path.is_file()}
        self.assertEqual(before, after)

    def test_a_program_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(CannotBuild, "0 programs of the build are called nothing"):
            self.build.link_of("nothing")


class ReportTest(unittest.TestCase):
    def test_the_table_has_a_row_each_and_ends_with_the_sum(self):
        killed = trials.Verdict(replace(ENTRY, hazards=(3, 4)), "killed", True, 1.5, executions=7)
        survived = trials.Verdict(replace(ENTRY, name="tough"), "survived", False, 0.1, "the last words\n")
        text = report.text([killed, survived])
        self.assertIn("wrong   3 4      a.holds  killed    1.50 s, 7 executions", text)
        self.assertIn("tough: survived: It is wrong.\n    the last words", text)
        self.assertTrue(text.endswith("2 mutants: 1 killed, 0 equivalent, 1 not as claimed; 2 hazards put back"), text)

    def test_variants_have_a_sum_of_their_own(self):
        choice = replace(ENTRY, variant="it is as good")
        holds, fails = (trials.Verdict(choice, f"variant {word}", word == "holds") for word in ("holds", "fails"))
        killed = trials.Verdict(ENTRY, "killed", True)
        sums = report.summary([holds, killed, fails]).splitlines()
        self.assertEqual(sums, ["1 mutants: 1 killed, 0 equivalent, 0 not as claimed; 0 hazards put back", "2 variants: 1 hold, 1 do not"])

    def test_each_verdict_is_a_line_of_evidence(self):
        line = report.evidence([trials.Verdict(ENTRY, "killed", True, 0.25)])
        self.assertEqual(line, 'evidence: {"kind": "mutant", "name": "wrong", "room": "room", "hazards": [], "claim": "It is wrong.", '
                               '"test": "a.holds", "verdict": "killed", "as_claimed": true, "seconds": 0.25}')


if __name__ == "__main__":
    unittest.main()
