#!/usr/bin/env python3
"""From logs to the page: what counts, what is left out, and that the page is the same for the same logs."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import evidence  # noqa: E402  (first: it says where the others are)
import bars  # noqa: E402
import catalogue  # noqa: E402
import page  # noqa: E402
import records  # noqa: E402

LOG = """Start testing: Nov 22 01:30 UTC
----------------------------------------------------------
1/3 Testing: deque_model.holds
1/3 Test: deque_model.holds
Command: "/b/deque_model" "--gtest_filter=deque_model.holds" "--gtest_also_run_disabled_tests"
Directory: /b
"deque_model.holds" start time: Nov 22 01:30 UTC
Output:
----------------------------------------------------------
evidence: {"kind": "relacy", "name": "holds", "executions": 1500}
<end of output>
Test time =   1.50 sec
----------------------------------------------------------
Test Passed.
"deque_model.holds" end time: Nov 22 01:30 UTC
"deque_model.holds" time elapsed: 00:00:01
----------------------------------------------------------

2/3 Testing: deque_model.breaks
2/3 Test: deque_model.breaks
Command: "/b/deque_model"
Directory: /b
"deque_model.breaks" start time: Nov 22 01:30 UTC
Output:
----------------------------------------------------------
evidence: {"kind": "relacy", "name": "breaks", "executions": 70}
<end of output>
Test time =   0.50 sec
----------------------------------------------------------
Test Failed.
"deque_model.breaks" end time: Nov 22 01:30 UTC
----------------------------------------------------------

3/3 Testing: mutants.queue
3/3 Test: mutants.queue
Command: "python3"
Directory: /b
"mutants.queue" start time: Nov 22 01:30 UTC
Output:
----------------------------------------------------------
evidence: {"kind": "mutant", "name": "m", "room": "queue", "hazards": [2, 3], "claim": "Wrong.", "test": "a.b", "verdict": "killed", "as_claimed": true, "seconds": 0.5, "executions": 12}
evidence: {"kind": "mutant", "name": "tough", "room": "queue", "hazards": [4], "claim": "Wrong, too.", "test": "a.c", "verdict": "survived", "as_claimed": false, "seconds": 0.5}
<end of output>
Test time =   2.00 sec
----------------------------------------------------------
Test Passed.
"mutants.queue" end time: Nov 22 01:30 UTC
----------------------------------------------------------
End testing: Nov 22 01:30 UTC
"""

HAZARDS = [catalogue.Hazard(2, "two", tests=("deque_model.holds",)), catalogue.Hazard(4, "four", absent="Nothing like it here."),
           catalogue.Hazard(67, "sixty-seven", later="co")]
FACTS = {"date": "2026-11-22", "commit": "abc", "processor": "P", "cores": 2, "system": "S", "kernel": "K"}


def build_folder(root, log=LOG, sanitizers=""):
    folder = Path(root) / "gcc-12"
    (folder / "Testing" / "Temporary").mkdir(parents=True)
    (folder / "Testing" / "Temporary" / "LastTest.log").write_text(log, encoding="utf-8")
    (folder / "CMakeCache.txt").write_text(f"CMAKE_CXX_COMPILER:STRING=/usr/bin/c++\nFILCH_SANITIZE:STRING={sanitizers}\n", encoding="utf-8")
    return folder


class RecordsTest(unittest.TestCase):
    def test_the_log_of_ctest_is_read_test_by_test(self):
        tests = records.tests_in(LOG)
        self.assertEqual([(test.name, test.passed, test.seconds, len(test.records)) for test in tests],
                         [("deque_model.holds", True, 1.5, 1), ("deque_model.breaks", False, 0.5, 1), ("mutants.queue", True, 2.0, 2)])

    def test_lines_are_found_in_plain_output_and_in_that_of_ctest_v(self):
        text = 'evidence: {"kind": "spin", "states": 3}\n17: evidence: {"kind": "fuzz", "runs": 4}\nno evidence: {"kind": "x"}\n'
        self.assertEqual([record["kind"] for record in records.records_in(text)], ["spin", "fuzz"])

    def test_a_line_that_is_no_record_is_an_error(self):
        for line in ('evidence: {"kind": }\n', 'evidence: {"name": "n"}\n'):
            with self.assertRaises(records.BadRecord):
                records.records_in(line)

    def test_what_a_failed_test_counted_is_left_out(self):
        with tempfile.TemporaryDirectory() as root:
            found = records.Evidence([records.suite_in(build_folder(root))])
        self.assertEqual([record["name"] for record in found.of("relacy")], ["holds"])

    def test_a_skipped_test_has_neither_passed_nor_failed(self):
        log = LOG.replace("Test Failed.", "Test Pass Reason:\nSkip regular expression found in output.")
        log = log.replace('"executions": 70}', '"executions": 70}\n[  SKIPPED ] 1 test, listed below:')
        with tempfile.TemporaryDirectory() as root:
            suite = records.suite_in(build_folder(root, log))
        self.assertEqual((suite.passed(), suite.skipped(), suite.failed()), (2, 1, []))

    def test_of_two_runs_of_the_same_the_one_that_saw_more_counts(self):
        found = records.Evidence(loose=[{"kind": "spin", "name": "idle", "states": states} for states in (5, 900, 7)])
        self.assertEqual([record["states"] for record in found.of("spin")], [900])

    def test_what_a_failed_test_counted_of_a_variant_is_kept(self):
        log = LOG.replace('"kind": "relacy", "name": "breaks"', '"kind": "variant", "name": "breaks"')
        with tempfile.TemporaryDirectory() as root:
            found = records.Evidence([records.suite_in(build_folder(root, log))])
        self.assertEqual([record["name"] for record in found.of("variant")], ["breaks"])

    def test_a_kept_verdict_gives_way_to_a_newer_one_and_goes_with_its_mutant(self):
        line = 'evidence: {{"kind": "mutant", "name": "{}", "test": "{}", "verdict": "killed"}}\n'
        with tempfile.TemporaryDirectory() as root:
            log = Path(root) / "mutants.log"
            log.write_text("# In May.\n" + line.format("m", "a.b") + line.format("gone", "a.b") + line.format("tough", "a.old") + line.format("model", "spin.model"),
                           encoding="utf-8")
            found = records.Evidence([records.suite_in(build_folder(root))], kept=[records.kept_in(log, {("mutant", "m"): "a.b", ("mutant", "tough"): "a.c", ("variant", "gone"): "a.b"})])
        self.assertEqual([(mutant["name"], mutant.get("executions")) for mutant in found.of("mutant")],
                         [("m", 12), ("model", None), ("tough", None)])
        self.assertEqual(found.of("mutant")[2]["test"], "a.c")

    def test_a_folder_without_a_run_has_no_suite(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertIsNone(records.suite_in(root))


class PageTest(unittest.TestCase):
    def page_of(self, log=LOG, loose=()):
        with tempfile.TemporaryDirectory() as root:
            found = records.Evidence([records.suite_in(build_folder(root, log))], list(loose))
        return page.page(found, HAZARDS, FACTS, {"/usr/bin/c++": "c++ 12"}, "tools/evidence/evidence.py")

    def test_counts_stand_beside_their_command(self):
        text = self.page_of()
        self.assertIn("| Model checks by Relacy | 1,500 executions, 1 of them | `./test --long -- -L model` |", text)
        self.assertIn("| Mutants | 1 killed, 0 equivalent, 1 neither | `tests/mutants/mutants.py` |", text)
        self.assertIn("| gcc-12 | - | 2 | 0 | deque_model.breaks | 4 | - | `./test` |", text)
        self.assertIn("| compiler | c++ 12 |", text)

    def test_variants_are_counted_by_themselves(self):
        variant = {"kind": "variant", "name": "v", "room": "spinning", "hazards": [], "claim": "Never.", "reason": "So what.", "test": "a.b",
                   "verdict": "variant holds", "as_claimed": True, "seconds": 2.0}
        text = self.page_of(loose=[variant, variant | {"name": "w", "verdict": "variant fails", "as_claimed": False}])
        self.assertIn("| Mutants | 1 killed, 0 equivalent, 1 neither |", text)
        self.assertIn("| Variants | 1 hold, 1 do not | `tests/mutants/mutants.py spinning` |", text)
        self.assertIn("| `v` | Never. So what. | a.b | variant holds | 2.00 s |", text)
        self.assertIn("| variants that fail | at most 0 | 1 | **no** |", text)

    def test_what_nobody_recorded_is_said(self):
        self.assertIn("| SPIN models | no record of `spin` |", self.page_of())
        self.assertIn("## Mutants\n\nNo record of `mutant`.", self.page_of(log=""))

    def test_a_record_of_any_fields_gets_a_row(self):
        text = self.page_of(loose=[{"kind": "explorer", "name": "deque", "executions": 9, "states": 1234, "complete": True, "bound": 3},
                                   {"kind": "explorer", "name": "injector", "states": 6, "complete": False}])
        self.assertIn("| name | executions | states | complete | bound | test |", text)
        self.assertIn("| deque | 9 | 1,234 | yes | 3 | - |\n| injector | - | 6 | no | - | - |", text)
        self.assertIn("Together: 9 executions, 1,240 states, 1 of 2 complete.", text)

    def test_sanitizers_and_valgrind_are_counted_by_test(self):
        log = LOG.replace("deque_model.holds", "valgrind.deque_test.fair")
        with tempfile.TemporaryDirectory() as root:
            found = records.Evidence([records.suite_in(build_folder(root, log, "thread"))])
        text = page.page(found, HAZARDS, FACTS, {}, "tools/evidence/evidence.py")
        self.assertIn("| Sanitizers | 2 tests in gcc-12 | `./test --sanitize` |", text)
        self.assertIn("| Valgrind's thread schedulers | 1 programs passed | `./test -- -L valgrind` |", text)

    def test_the_page_says_which_bars_are_met(self):
        text = self.page_of(loose=[{"kind": "relacy", "name": "much", "executions": 10_000_000}])
        self.assertIn("| executions by Relacy | at least 10,000,000 | 10,001,500 | yes |", text)
        self.assertIn("| mutants neither killed nor equivalent | at most 0 | 1 | **no** |", text)

    def test_a_hazard_says_what_catches_it_and_what_put_it_back(self):
        text = self.page_of()
        self.assertIn("| 2 | two | `deque_model.holds` | `m` |", text)
        self.assertIn("| 4 | four | Nothing like it here. | - |", text)  # the mutant of 4 survived
        self.assertIn("| 67 | sixty-seven | not yet: room co | - |", text)
        self.assertIn("1 caught by tests, 1 cannot occur, 1 in rooms that do not exist yet; 2 put back", text)

    def test_the_same_logs_make_the_same_page(self):
        loose = [{"kind": "stress", "name": name, "operations": 5} for name in ("b", "a")]
        self.assertEqual(self.page_of(loose=loose), self.page_of(loose=loose[::-1]))


class BarsTest(unittest.TestCase):
    @staticmethod
    def bar(beginning, *loose):
        return next(bar for bar in bars.bars(records.Evidence(loose=list(loose))) if bar.what.startswith(beginning))

    def test_only_complete_checks_count_states(self):
        bar = self.bar("states", {"kind": "explorer", "name": "a", "states": 500_000, "complete": True},
                       {"kind": "explorer", "name": "b", "states": 7, "complete": False})
        self.assertEqual((bar.found, bar.is_met()), (500_000, True))

    def test_an_edge_counts_once_whichever_checkers_see_its_loss(self):
        loose = [{"kind": "edge", "name": f"m.{name}", "caught": caught, "executions": 3}
                 for name, caught in (("witness_of_a", True), ("no_witness_of_a", False), ("witness_of_b", False), ("no_witness_of_c", False))]
        bar = self.bar("edges whose", *loose)
        self.assertEqual((bar.what, bar.found, bar.wanted, bar.is_met()), ("edges whose witness fails without them, of 3", 1, 2, False))
        self.assertEqual(self.bar("edges that", *loose).found, 1)

    def test_runs_of_different_shapes_are_added_and_duels_are_in_bursts_of_one(self):
        loose = [{"kind": "stress", "name": f"queue.deque_in_bursts_of_{burst}_with_{thieves}_thieves", "operations": 100}
                 for burst in (1, 16) for thieves in (1, 2)]
        self.assertEqual((self.bar("operations of", *loose).found, self.bar("duels", *loose).found), (400, 100))

    def test_a_mutant_that_survives_breaks_a_bar(self):
        survivor = {"kind": "mutant", "name": "m", "verdict": "survived", "as_claimed": False, "hazards": []}
        self.assertFalse(self.bar("mutants neither", survivor).is_met())
        self.assertTrue(self.bar("mutants neither").is_met())


class CommandTest(unittest.TestCase):
    def run_main(self, *arguments):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = evidence.main(list(arguments))
        return code, said.getvalue()

    def test_it_writes_the_page_and_fails_where_a_test_failed(self):
        with tempfile.TemporaryDirectory() as root:
            output = Path(root) / "evidence.md"
            code, said = self.run_main("--build", str(build_folder(root)), "--kept", root, "--output", str(output))
            self.assertEqual(code, 1)
            self.assertIn("3 records of 1 test suites; failed: gcc-12: deque_model.breaks", said)
            self.assertTrue(output.read_text(encoding="utf-8").startswith("# Evidence\n"))

    def test_the_table_of_one_kind_is_printed_and_no_page_written(self):
        with tempfile.TemporaryDirectory() as root:
            output = Path(root) / "evidence.md"
            only = ("--build", str(build_folder(root)), "--kept", root, "--output", str(output), "--only")
            code, said = self.run_main(*only, "relacy")
            self.assertEqual((code, output.exists()), (1, False))  # a test of that run failed
            self.assertEqual(said.splitlines()[:2], ["name   executions  test", "holds  1,500       deque_model.holds"])
            self.assertIn("Edges: no record; ./test -- -R witness -V makes them", self.run_main(*only, "edge")[1])

    def test_without_any_run_there_is_no_page(self):
        with tempfile.TemporaryDirectory() as root:
            output = Path(root) / "evidence.md"
            code, said = self.run_main("--build", root, "--kept", root, "--output", str(output))
            self.assertEqual((code, output.exists()), (2, False))
        self.assertIn("nothing has run yet", said)

    def test_a_broken_line_is_named(self):
        with tempfile.TemporaryDirectory() as root:
            log = Path(root) / "log"
            log.write_text("evidence: {broken}\n", encoding="utf-8")
            code, said = self.run_main("--build", root, "--kept", root, "--log", str(log), "--output", str(Path(root) / "out.md"))
        self.assertEqual(code, 2)
        self.assertIn("{broken}", said)

    def test_a_kept_log_counts_and_says_what_it_is_of(self):
        with tempfile.TemporaryDirectory() as root:
            kept, output = Path(root) / "kept", Path(root) / "evidence.md"
            kept.mkdir()
            (kept / "long.log").write_text('# Ten hours in May.\nevidence: {"kind": "stress", "name": "sched.pool_cycles", "operations": 100000}\n',
                                           encoding="utf-8")
            self.run_main("--build", str(build_folder(root)), "--kept", str(kept), "--output", str(output))
            text = output.read_text(encoding="utf-8")
            self.assertIn("| [long.log](evidence/long.log) | Ten hours in May. | 1 |", text)
            self.assertIn("| pools made, used and destroyed | at least 100,000 | 100,000 | yes |", text)

    def test_a_kept_log_that_does_not_say_what_it_is_of_is_refused(self):
        with tempfile.TemporaryDirectory() as root:
            (Path(root) / "long.log").write_text('evidence: {"kind": "stress"}\n', encoding="utf-8")
            code, said = self.run_main("--build", str(build_folder(root)), "--kept", root, "--output", str(Path(root) / "out.md"))
        self.assertEqual(code, 2)
        self.assertIn("the first line of a kept log says", said)


if __name__ == "__main__":
    unittest.main()
