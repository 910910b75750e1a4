#!/usr/bin/env python3
"""From logs to the page: what counts, what is left out, and that the page is the same for the same logs."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import evidence  # noqa: E402  (first: it says where the others are)
import bars  # noqa: E402
import catalogue  # noqa: E402
import freshness  # noqa: E402
import lines  # noqa: E402
import page  # noqa: E402
import records  # noqa: E402
from expected import expected  # noqa: E402
from kept import Kept  # noqa: E402
from tree import Tree  # noqa: E402

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


def between(start, end):
    return LOG.replace("Start testing: Nov 22 01:30", f"Start testing: {start}").replace("End testing: Nov 22 01:30", f"End testing: {end}")


HAZARDS = [catalogue.Hazard(2, "two", tests=("deque_model.holds",)), catalogue.Hazard(4, "four", absent="Nothing like it here."),
           catalogue.Hazard(67, "sixty-seven", later="attic")]
DAY, NEXT_DAY = "2026-11-22", "2026-11-23"
FACTS = {"processor": "P", "cores": 2, "system": "S", "kernel": "K", "compiler": "c++ 12"}


def build_folder(root, log=LOG, sanitizers=""):
    folder = Path(root) / "gcc-12"
    (folder / "Testing" / "Temporary").mkdir(parents=True)
    (folder / "Testing" / "Temporary" / "LastTest.log").write_text(log, encoding="utf-8")
    (folder / "CMakeCache.txt").write_text(f"CMAKE_CXX_COMPILER:STRING=/usr/bin/c++\nFILCH_SANITIZE:STRING={sanitizers}\n", encoding="utf-8")
    return folder


def record(kind, name, **fields):
    told_by = {} if kind in records.VERDICTS else {"ctest": f"t.{name}"}
    return {"kind": kind, "name": name, **told_by, "when": DAY, **fields}


def mutant(name, verdict="killed", **fields):
    return record("mutant", name, **{"room": "queue", "hazards": [], "claim": "Wrong.", "test": "a.b", "verdict": verdict,
                                     "as_claimed": verdict == "killed", "seconds": 0.5, **fields})


def kept_of(root, log=LOG, sanitizers="", loose=()):
    suite = records.suite_in(build_folder(root, log, sanitizers))
    kept = Kept()
    kept.take([*suite.records(), suite.record(FACTS), *loose], renew=True)
    return kept


class RecordsTest(unittest.TestCase):
    def test_the_log_of_ctest_is_read_test_by_test(self):
        tests = records.tests_in(LOG)
        self.assertEqual([(test.name, test.passed, test.seconds, len(test.records)) for test in tests],
                         [("deque_model.holds", True, 1.5, 1), ("deque_model.breaks", False, 0.5, 1), ("mutants.queue", True, 2.0, 2)])

    def test_a_page_that_was_not_fresh_when_it_was_made_does_not_say_so(self):
        tests = records.tests_in(LOG.replace("deque_model.breaks", records.CHECK))
        self.assertEqual([test.name for test in tests], ["deque_model.holds", "mutants.queue"])

    def test_lines_are_found_in_plain_output_and_in_that_of_ctest_v(self):
        text = 'evidence: {"kind": "spin", "states": 3}\n17: evidence: {"kind": "fuzz", "runs": 4}\nno evidence: {"kind": "x"}\n'
        self.assertEqual([record["kind"] for record in records.records_in(text)], ["spin", "fuzz"])

    def test_a_line_that_is_no_record_is_an_error(self):
        for line in ('evidence: {"kind": }\n', 'evidence: {"name": "n"}\n'):
            with self.assertRaises(records.BadRecord):
                records.records_in(line)

    def test_what_a_failed_test_counted_is_left_out_but_for_its_verdicts(self):
        log = LOG.replace('"kind": "relacy", "name": "breaks"', '"kind": "variant", "name": "breaks"')
        for text, expected_names in ((LOG, ["holds", "m", "tough"]), (log, ["holds", "breaks", "m", "tough"])):
            with tempfile.TemporaryDirectory() as root:
                suite = records.suite_in(build_folder(root, text))
            self.assertEqual([record["name"] for record in suite.records()], expected_names)

    def test_a_suite_says_how_long_it_ran_and_how_much_of_that_the_page_counts(self):
        of_twenty_minutes = between("Nov 22 01:30", "Nov 22 01:50")
        half_of_it = re.sub(r"evidence: .*mutant.*\n", "", of_twenty_minutes)
        for log, sanitizers, minutes, counted in ((LOG, "", 0, 0), (of_twenty_minutes, "", 20, 20), (half_of_it, "", 20, 10), (half_of_it, "thread", 20, 20),
                                                  (between("Dec 31 23:50", "Jan 1 00:10"), "", 20, 20), (LOG.replace("End testing", "Cut off"), "", None, None)):
            with tempfile.TemporaryDirectory() as root:
                suite = records.suite_in(build_folder(root, log, sanitizers)).record(FACTS)
            self.assertEqual((suite.get("minutes"), suite.get("minutes_for_evidence")), (minutes, counted))

    def test_the_end_of_february_is_that_of_its_year(self):
        log = between("Feb 28 23:50", "Mar 1 00:10")
        self.assertEqual([records.minutes_in(log, year) for year in (2026, 2028)], [20, 24 * 60 + 20])

    def test_a_skipped_test_has_neither_passed_nor_failed(self):
        log = LOG.replace("Test Failed.", "Test Pass Reason:\nSkip regular expression found in output.")
        log = log.replace('"executions": 70}', '"executions": 70}\n[  SKIPPED ] 1 test, listed below:')
        with tempfile.TemporaryDirectory() as root:
            suite = records.suite_in(build_folder(root, log)).record(FACTS)
        self.assertEqual((suite["passed"], suite["skipped"], suite["failed"]), (2, 1, []))

    def test_a_folder_without_a_run_has_no_suite(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertIsNone(records.suite_in(root))

    def test_output_of_ctest_v_says_which_test_told_it(self):
        text = '      Start  17: by/s.t/1\n17: evidence: {"kind": "stress", "name": "n", "operations": 3}\n'
        self.assertEqual(records.loose_in(text, DAY), [{"kind": "stress", "name": "n", "operations": 3, "ctest": "by/s.t/1", "when": DAY}])

    def test_other_output_says_so_by_its_names_or_is_refused(self):
        lines = [json.dumps({"kind": kind, "name": "s.t", "checker": checker}) for kind, checker in
                 (("relacy", ""), ("explorer", ""), ("spin", ""), ("edge", "relacy"), ("edge", "explorer"))]
        found = records.loose_in("\n".join(f"evidence: {line}" for line in lines), DAY)
        self.assertEqual([record["ctest"] for record in found], ["s.t", "explorer.s.t", "spin.s.t", "s.t", "explorer.s.t"])
        with self.assertRaisesRegex(records.BadRecord, "which test told of `n`"):
            records.loose_in('evidence: {"kind": "stress", "name": "n"}', DAY)

    def test_what_the_mutants_write_as_json_is_read_like_their_lines(self):
        told = {"kind": "mutant", "name": "m", "test": "a.b", "verdict": "killed"}
        for text in (json.dumps([told], indent=1), f"evidence: {json.dumps(told)}\n1 mutants: 1 killed"):
            self.assertEqual(records.loose_in(text, DAY), [told | {"when": DAY}])


class KeptTest(unittest.TestCase):
    @staticmethod
    def taken(old, *new, renew=False):
        kept = Kept(old)
        kept.take(new, renew)
        return kept.all()

    def test_what_was_written_is_read_again_in_order(self):
        kept = Kept([mutant("b", test="1f2e"), record("spin", "x", states=3), record("stress", "of two", ctest="t.s", operations=4), mutant("a", test="1f2e", claim="Dürr.")])
        with tempfile.TemporaryDirectory() as root:
            file = Path(root) / "kept.txt"
            kept.write(file)
            again = Kept.read(file).all()
            self.assertEqual(Kept.read(Path(root) / "none.txt").all(), [])
        self.assertEqual([each["name"] for each in again], ["x", "of two", "a", "b"])
        self.assertEqual(again[:2], kept.all()[:2])
        self.assertEqual([(each["verdict"], each["as_claimed"], each["test"], each["when"]) for each in again[2:]], [("killed", True, "1f2e", DAY)] * 2)

    def test_a_line_of_no_kind_or_form_is_refused(self):
        for text in ('{"kind": "long", "when": "2026-11-22", "counts": []}\nt.x\n', '{"kind": "spin", "when": "2026-11-22", "counts": ["states"]}\nmany t.x\n',
                     '{"kind": "spin", "when": "2026-11-22"}\nt.x\n', "t.x\n", '{"kind": "spin", "when": "2026-11-22", "counts": ["states"]}\n7\n',
                     '{"kind": "spin", "counts": []}\nt.x\n'):
            with tempfile.TemporaryDirectory() as root:
                (Path(root) / "kept.txt").write_text(text, encoding="utf-8")
                with self.assertRaises(records.BadRecord):
                    Kept.read(Path(root) / "kept.txt")

    def test_of_a_record_what_the_page_counts_is_kept(self):
        told = [record("explorer", "t.a", ctest="explorer.t.a", executions=5, states=0, complete=True, extent="COMPLETE"), mutant("m", executions=12),
                record("calibration", "one", ctest="t.b", after_ms=3.5), record("calibration", "two", ctest="t.b", after_ms=9.0)]
        self.assertEqual(lines.condensed(told), [
            {"kind": "explorer", "name": "t.a", "ctest": "explorer.t.a", "when": DAY, "executions": 5, "complete": True},
            {"kind": "mutant", "name": "m", "when": DAY, "verdict": "killed", "as_claimed": True, "test": lines.mark_of("a.b")},
            {"kind": "calibration", "name": "t.b", "ctest": "t.b", "mistakes": 2, "when": DAY}])

    def test_a_name_that_follows_from_the_test_is_not_kept(self):
        for kind, test, name in (("relacy", "m.a", "m.a"), ("explorer", "explorer.m.a", "m.a"), ("schedule", "m.a", "a"), ("fuzz", "a_libfuzzer", "a")):
            line = lines.line_of(record(kind, name, ctest=test))
            self.assertEqual((line, lines.record_of({"kind": kind, "when": DAY}, [], line)["name"]), (test, name))

    def test_of_several_builds_the_one_that_saw_more_counts(self):
        seen = [record("stress", "n", operations=operations) for operations in (5, 900, 7)]
        self.assertEqual([each["operations"] for each in self.taken([], *seen)], [900])

    def test_tests_that_print_one_name_are_told_apart(self):
        self.assertEqual(len(self.taken([record("stress", "n", ctest="t.a")], record("stress", "n", ctest="t.b"))), 2)

    def test_a_count_stays_until_another_is_notably_larger(self):
        old = record("stress", "n", operations=100)
        for operations, renew, expected_count in ((105, False, 100), (115, False, 115), (105, True, 105), (90, True, 100)):
            self.assertEqual(self.taken([old], record("stress", "n", operations=operations), renew=renew)[0]["operations"], expected_count)

    def test_a_count_as_thorough_gives_way_to_another_even_to_a_smaller_one(self):
        for same in ({"complete": True}, {"extent": "3 switches", "complete": False}):
            old = record("explorer", "n", states=100, **same)
            self.assertEqual(self.taken([old], old | {"states": 90, "when": NEXT_DAY})[0]["states"], 90)
            self.assertEqual(self.taken([old], old | {"when": NEXT_DAY})[0]["when"], DAY)
            self.assertEqual(self.taken([old], old | {"when": NEXT_DAY}, renew=True)[0]["when"], NEXT_DAY)
        self.assertEqual(self.taken([old], record("explorer", "n", states=90, extent="2 switches"))[0]["states"], 100)

    def test_a_verdict_stays_as_long_as_it_is_the_same(self):
        again = mutant("m", seconds=9.0, when=NEXT_DAY)
        self.assertEqual(self.taken([mutant("m")], again), [mutant("m")])
        self.assertEqual(self.taken([mutant("m")], again, renew=True), [again])
        survived = mutant("m", "survived", when=NEXT_DAY)
        self.assertEqual(self.taken([mutant("m")], survived), [survived])

    def test_an_older_run_changes_nothing(self):
        kept = [mutant("m", when=NEXT_DAY), record("spin", "s", complete=True, states=4, when=NEXT_DAY), record("spin", "other", ctest="t.s", when=NEXT_DAY)]
        self.assertEqual(self.taken(kept, mutant("m", "survived"), record("spin", "s", complete=True, states=5), renew=True),
                         sorted(kept, key=lambda each: ("mutant" == each["kind"], each["name"])))

    def test_what_a_test_no_longer_says_it_takes_back(self):
        old = [record("stress", name, ctest="t.s") for name in ("old", "both")] + [record("stress", "else")]
        found = self.taken(old, *(record("stress", name, ctest="t.s") for name in ("both", "new")))
        self.assertEqual([each["name"] for each in found], ["both", "else", "new"])

    def test_a_run_of_some_tests_is_no_run_of_the_suite(self):
        whole, part, more = ({"kind": "suite", "name": "gcc-12", "passed": count, "skipped": 0, "failed": [], "when": DAY} for count in (100, 3, 95))
        self.assertEqual(self.taken([], whole), [whole])
        self.assertEqual(self.taken([whole], part, renew=True), [whole])
        self.assertEqual(self.taken([whole], more, renew=True), [more])

    def test_the_catalogue_says_what_a_mutant_is(self):
        kept = Kept([mutant("m", claim="Old.")])
        kept.describe([catalogue.Mutant("sched", "m", "New.", "f", "p", "r", "t", hazards=(7,))])
        self.assertEqual([(each["room"], each["claim"], each["hazards"]) for each in kept.of("mutant")], [("sched", "New.", [7])])


class ExpectedTest(unittest.TestCase):
    TREE = {
        "filch/queue/edges.hpp": "enum class edge { publish, reuse, claim };\n",
        "filch/queue/deque_model.cpp": """namespace {
struct both : scenario<2> {
  int here;
};
bool always() {
  return holds<both>();
}
TEST(deque_model, one) { EXPECT_TRUE(holds<both>()); }
TEST(deque_model, two) {
  EXPECT_TRUE(always());
}
TEST(deque_model, breaks_what_is_wrong) { EXPECT_TRUE(breaks<both>()); }
#if !defined(FILCH_RELACY)
TEST(deque_model, three) { EXPECT_TRUE(holds<both>()); }
#endif
WITNESS(edge::publish, "claim", both);
WITNESS_BY_RELACY(edge::claim, "claim", both);
NO_WITNESS(edge::reuse, "reason", both);
// TEST(deque_model, four) { EXPECT_TRUE(holds<both>()); }
}  // namespace
""",
        "filch/queue/deque_stress.cpp": """class stress : public Test {
  void rush() { print_stress_evidence("n", 1); }
};
TEST_P(stress, is_hard) { rush(); }
TEST_P(stress_calibration, finds_it) { }
""",
        "filch/co/schedules_test.cpp": 'TEST(co, a) {\n  expect_no_failure([] {});\n}\nTEST(co, b) { EXPECT_TRUE(1); }\n',
        "filch/span/budget_fuzz.cpp": 'TEST(budget, balances) {\n  std::cout << R"(evidence: {"kind": "random"})";\n}\n',
        "filch/topo/CMakeLists.txt": "foreach(property cpu_list\n        quota)\n  filch_libfuzzer(${property} SOURCES a.cpp)\nendforeach()\nfilch_libfuzzer(file SOURCES b.cpp)\n",
        "cmake/filch_targets.cmake": "function(filch_libfuzzer property)\nendfunction()\n",
    }

    def setUp(self):
        mutants = [catalogue.Mutant("queue", "m", "Wrong.", "f", "p", "r", "target", "a.b"),
                   catalogue.Mutant("spinning", "v", "Other.", "f", "p", "r", "target", variant="So what.")]
        self.has = expected(Tree(self.TREE), mutants, {"idle.holds": False, "idle.MUTANT_X": True})

    def test_each_kind_is_found_where_it_is_declared(self):
        models = {f"{checker}deque_model.{name}" for checker in ("", "explorer.")
                  for name in ("witness_of_publish", "no_witness_of_reuse")} | {"deque_model.witness_of_claim", "explorer.deque_model.no_witness_of_claim"}
        self.assertEqual(self.has.tests, {
            "relacy": {"deque_model.one", "deque_model.two"},
            "explorer": {"explorer.deque_model.one", "explorer.deque_model.two", "explorer.deque_model.three"},
            "edge": models, "schedule": {"co.a"}, "stress": {"stress.is_hard"}, "random": {"budget.balances"}, "spin": {"spin.idle.holds"},
            "fuzz": {"cpu_list_libfuzzer", "quota_libfuzzer", "file_libfuzzer"}})
        self.assertEqual(self.has.verdicts, {("mutant", "m"): "a.b", ("variant", "v"): "target", ("mutant", "idle.MUTANT_X"): "spin.idle.MUTANT_X"})

    def test_a_record_for_each_and_nothing_is_missing(self):
        told = [record(kind, test, ctest=test) for kind, tests in self.has.tests.items() for test in tests]
        told += [record(kind, name, test=test) for (kind, name), test in self.has.verdicts.items()]
        self.assertEqual(self.has.missing(Kept(told)), [])
        self.assertEqual(self.has.missing(Kept(each for each in told if each["name"] not in ("m", "co.a"))), [("mutant", "m"), ("schedule", "co.a")])

    def test_parameters_do_not_tell_tests_apart(self):
        self.assertNotIn(("stress", "stress.is_hard"), self.has.missing(Kept([record("stress", "n", ctest="by/stress.is_hard/7")])))

    def test_what_is_gone_is_known_by_its_test(self):
        gone = [record("stress", "n", ctest="by/stress.was_hard/7"), record("relacy", "deque_model.four", ctest="deque_model.four"),
                record("edge", "e", ctest="deque_model.witness_of_reuse"), record("mutant", "m", test="a.other"), record("mutant", "old", test="a.b")]
        here = [record("stress", "n", ctest="by/stress_calibration.finds_it/7"), record("mutant", "m", test="a.b"),
                record("mutant", "m", test=lines.mark_of("a.b")), {"kind": "suite", "name": "gcc-12"}]
        self.assertEqual([self.has.is_gone(each) for each in gone + here], [True] * len(gone) + [False] * len(here))


class FreshnessTest(unittest.TestCase):
    def test_a_few_may_be_missing_but_nothing_gone_and_no_other_text(self):
        some, many = ([("spin", f"spin.{i}") for i in range(count)] for count in (freshness.MAY_BE_MISSING, freshness.MAY_BE_MISSING + 1))
        for missing, gone, differs, is_fresh in (([], [], False, True), (some, [], False, True), (many, [], False, False),
                                                 ([], [mutant("m")], False, False), ([], [], True, False)):
            found = freshness.Freshness(missing, gone, differs)
            self.assertEqual((found.is_fresh(), ": not fresh" in found.text()), (is_fresh, not is_fresh))

    def test_it_names_each_and_the_commands_that_mend_it(self):
        missing = [("fuzz", "a_libfuzzer"), ("mutant", "m"), ("mutant", "idle.MUTANT_X"), ("relacy", "s.t"), ("variant", "v")]
        said = freshness.Freshness(missing, [mutant("old"), record("stress", "n")], True).text()
        for line in ("missing: mutant m", "gone: mutant old", "gone: stress n, told by t.n", "  ./test -- -R 's.t|spin.idle.MUTANT_X'",
                     "  ./test --fuzz -- -R 'a_libfuzzer'", "  tests/mutants/mutants.py --only '^(m|v)$' --evidence | tools/evidence/evidence.py --log -"):
            self.assertIn(line, said.splitlines())

    def test_where_much_is_missing_everything_is_run(self):
        many = [(kind, f"n{i}") for kind in ("relacy", "mutant") for i in range(freshness.NAMED_IN_COMMANDS + 1)]
        self.assertEqual(list(freshness.commands(many)), ["./test", "tests/mutants/mutants.py --evidence | tools/evidence/evidence.py --log -"])

    def test_a_page_that_differs_is_mended_without_running_anything(self):
        self.assertEqual(list(freshness.commands([])), ["tools/evidence/evidence.py"])


class BarsTest(unittest.TestCase):
    @staticmethod
    def bar(beginning, *loose):
        return next(bar for bar in bars.bars(Kept(loose)) if bar.what.startswith(beginning))

    def test_only_complete_checks_count_states(self):
        bar = self.bar("states", record("explorer", "a", states=500_000, complete=True), record("explorer", "b", states=7, complete=False))
        self.assertEqual((bar.found, bar.is_met()), (500_000, True))

    def test_an_edge_counts_once_whichever_checkers_see_its_loss(self):
        loose = [record("edge", f"m.{name}", caught=caught, executions=3)
                 for name, caught in (("witness_of_a", True), ("no_witness_of_a", False), ("witness_of_b", False), ("no_witness_of_c", False))]
        bar = self.bar("edges whose", *loose, record("edge", "m.witness_of_a", caught=True, ctest="explorer.m.witness_of_a"))
        self.assertEqual((bar.what, bar.found, bar.wanted, bar.is_met()), ("edges whose witness fails without them, of 3", 1, 2, False))
        self.assertEqual(self.bar("edges that", *loose).found, 1)

    def test_runs_of_different_shapes_are_added_and_duels_are_in_bursts_of_one(self):
        loose = [record("stress", f"queue.deque_in_bursts_of_{burst}_with_{thieves}_thieves", operations=100)
                 for burst in (1, 16) for thieves in (1, 2)]
        self.assertEqual((self.bar("operations of", *loose).found, self.bar("duels", *loose).found), (400, 100))

    def test_a_mutant_that_survives_breaks_a_bar(self):
        self.assertFalse(self.bar("mutants neither", mutant("m", "survived")).is_met())
        self.assertTrue(self.bar("mutants neither").is_met())


class TreeTest(unittest.TestCase):
    def test_every_witness_of_the_tree_is_expected_twice(self):
        tests = evidence.what_the_tree_has().tests
        self.assertEqual({test for test in tests["edge"] if test.startswith("explorer.")},
                         {each for test in tests["edge"] if not test.startswith("explorer.") for each in both_names(test) & tests["edge"]})
        for kind, at_least in (("relacy", 100), ("explorer", 100), ("edge", 40), ("spin", 20), ("schedule", 40), ("stress", 8), ("fuzz", 8)):
            self.assertGreaterEqual(len(tests[kind]), at_least, kind)


def both_names(test):
    """As the explorer may call the test of an edge that Relacy calls so."""
    return {f"explorer.{test}", f"explorer.{test}".replace(".no_witness", ".witness"), f"explorer.{test}".replace(".witness", ".no_witness")}


if __name__ == "__main__":
    unittest.main()
