"""Tests of when a median has settled, and of what is judged over the whole grid."""

import random
import sys
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from harness import campaign, folded, grid_table, report, sampling, settling, verdicts  # noqa: E402
from harness.cells import Cell, Record, Sample  # noqa: E402
from harness.grid import entries  # noqa: E402
from harness.standings import Standings  # noqa: E402

COMPILER = "g++-12"
CELL = Cell("fib", "filch", COMPILER)


def line_of(problem):
    return next(entry for entry in entries(False) if entry.problem == problem)


FIB, UTS, LOOP, PRIMES = (line_of(problem) for problem in ("fib", "uts", "loop", "primes"))


def sample(seconds, mib=2, foreign=0.0, **more):
    return Sample({"seconds": seconds, "peak_rss_kib": mib * 1024, **more}, 1.0, foreign)


def record(entry, peer, seconds, workers=1, **more):
    return Record(entry.cell(peer, COMPILER, workers), 1, [sample(seconds, **more)])


class Settling(unittest.TestCase):
    def test_a_rank_encloses_the_median_with_the_probability_asked_for_and_the_next_one_does_not(self):
        for count in range(1, 30):
            def enclosed(k):
                return 1 - 2 * sum(settling.math.comb(count, i) for i in range(k)) / 2**count
            k = settling.rank(count)
            self.assertTrue(k == 0 or enclosed(k) >= settling.PROBABILITY, count)
            self.assertLess(enclosed(k + 1), settling.PROBABILITY, count)

    def test_five_samples_are_the_fewest_that_can_settle(self):
        self.assertEqual([settling.rank(count) for count in (1, 4, 5, 7, 8, 11)], [0, 0, 1, 1, 2, 3])
        self.assertEqual(settling.LEAST, min(count for count in range(20) if settling.rank(count)))

    def test_an_interval_of_two_percent_is_settled_and_a_wider_one_is_not(self):
        self.assertTrue(settling.is_settled([100, 98, 102, 99, 101]))
        self.assertFalse(settling.is_settled([100, 97.9, 102, 99, 101]))
        self.assertFalse(settling.is_settled([100, 98, 102.1, 99, 101]))

    def test_with_more_samples_a_few_far_ones_do_no_harm(self):
        self.assertTrue(settling.is_settled([1, 100, 100, 100, 101, 99, 100, 900]))

    def test_the_interval_holds_the_median_as_often_as_it_says(self):
        draws, held = random.Random(1), 0
        for _ in range(2000):
            values = sorted(draws.expovariate(1) for _ in range(11))
            k = settling.rank(11)
            held += values[k - 1] <= settling.math.log(2) <= values[-k]
        self.assertGreater(held / 2000, settling.PROBABILITY)


class Sampling(unittest.TestCase):
    def measured(self, times, most=11, wanted=5, seconds=1.0):
        """The record of a contender that takes `times`, one after the other, and for ever the last."""
        left = list(times)

        def run_once(*_):
            return Sample({"seconds": left.pop(0) if len(left) > 1 else left[0]}, seconds, 0.0)

        with unittest.mock.patch.object(sampling, "run_once", side_effect=run_once):
            return campaign.measure([CELL], lambda _: "program", wanted, most)[0][CELL]

    def test_a_median_that_settles_takes_no_more_samples(self):
        self.assertEqual(len(self.measured([1.0]).samples), 5)

    def test_a_median_that_does_not_gets_more_until_it_has(self):
        found = self.measured([1.0, 1.1, 1.0])
        self.assertEqual((len(found.samples), found.settled), (8, True))

    def test_a_median_that_never_settles_gets_no_more_than_the_most_and_says_so(self):
        found = self.measured([1.0, 2.0] * 20)
        self.assertEqual((len(found.samples), found.settled), (settling.MOST, False))

    def test_a_cell_that_takes_long_is_left_unsettled_after_the_fewest(self):
        found = self.measured([1.0, 2.0] * 20, seconds=settling.MOST_SECONDS / 5)
        self.assertEqual((len(found.samples), found.settled), (settling.LEAST, False))

    def test_who_asks_for_a_number_gets_it(self):
        self.assertEqual(len(self.measured([1.0, 2.0] * 20, most=0, wanted=2).samples), 2)

    def test_who_waits_for_no_quiet_moment_takes_each_cell_once(self):
        with unittest.mock.patch.object(sampling, "run_once", return_value=sample(1, foreign=1.0)) as run_once:
            found = campaign.measure([CELL], lambda _: "program", 1, rounds_for_one=1)[0][CELL]
        self.assertEqual((run_once.call_count, found.disturbed), (1, True))

    def test_a_program_that_prints_no_time_does_not_wait_to_settle(self):
        found = Record(CELL, 5, [Sample({"switches": count}, 1.0, 0.0) for count in range(5)], most=11)
        self.assertIsNone(found.settled)
        self.assertTrue(found.complete)

    def test_a_figure_of_an_unsettled_median_wears_a_tilde(self):
        unsettled = Record(FIB.cell("filch", COMPILER, 1), 5, [sample(seconds) for seconds in (1, 2, 1, 2, 1)])
        self.assertEqual(Standings([unsettled], COMPILER).lines[FIB]["filch", 1].mark, "~")
        row = verdicts.Row("fib", "what", ((unsettled.cell, "seconds"),), lambda a: a, "x")
        self.assertEqual(str(report.judge(row, COMPILER, {unsettled.cell: unsettled})), "1 x~")


class Verdicts(unittest.TestCase):
    def setUp(self):
        few = unittest.mock.patch.object(verdicts, "LEAST_PROBLEMS", 1)
        few.start()
        self.addCleanup(few.stop)

    def test_the_mean_over_a_part_of_the_grid_is_not_judged(self):
        records = [record(entry, peer, seconds) for entry in (FIB, UTS) for peer, seconds in (("filch", 1), ("tbb", 8))]
        what = "geometric mean over the fork-join problems, workers: 1: the nearest peer against filch"
        self.assertIn(what, self.found(*records))
        with unittest.mock.patch.object(verdicts, "LEAST_PROBLEMS", 3):
            self.assertNotIn(what, self.found(*records))

    def found(self, *records):
        return {outcome.row.what: outcome for outcome in verdicts.outcomes(records, [COMPILER])}

    def test_the_mean_of_the_nearest_peer_is_judged_at_each_number_of_workers(self):
        found = self.found(record(FIB, "filch", 1), record(FIB, "tbb", 8), record(FIB, "rayon", 3), record(UTS, "filch", 1), record(UTS, "tbb", 2),
                           record(FIB, "filch", 2, 2), record(FIB, "tbb", 1, 2), record(FIB, "filch", 1, 4), record(FIB, "tbb", 9, 4))
        what = "geometric mean over the fork-join problems, workers: {}: the nearest peer against filch"
        self.assertEqual(str(found[what.format(1)]), "3 x (rayon, over 1), **met**")
        self.assertEqual(str(found[what.format(2)]), "0.5 x (tbb, over 1), **missed**")
        self.assertNotIn(what.format(4), found)

    def test_each_problem_is_judged_at_its_worst_line(self):
        found = self.found(record(FIB, "filch", 1), record(FIB, "tbb", 2), record(FIB, "filch", 1.2, 2), record(FIB, "tbb", 1, 2), record(FIB, "rayon", 1.1, 2))
        outcome = found["fib: filch against the best peer"]
        self.assertEqual((outcome.figure, outcome.verdict), (1.2, "missed"))
        self.assertEqual(outcome.note, f"{FIB.title}, tbb, workers: 2")

    def test_three_percent_behind_is_near_enough(self):
        self.assertEqual(self.found(record(PRIMES, "filch", 1.03), record(PRIMES, "tbb", 1))["primes: filch against the best peer"].verdict, "met")

    def test_what_is_nothing_but_bandwidth_is_not_judged(self):
        self.assertEqual(self.found(record(LOOP, "filch", 2), record(LOOP, "tbb", 1)), {})

    def test_memory_is_held_against_the_leanest_peer_of_fork_join_problems(self):
        found = self.found(record(FIB, "filch", 1, mib=5), record(FIB, "tbb", 1, mib=9), record(FIB, "rayon", 1, mib=2), record(FIB, "serial", 1, mib=1),
                           record(PRIMES, "filch", 1, mib=90), record(PRIMES, "tbb", 1))
        outcome = found["fib: peak memory above the leanest peer's"]
        self.assertEqual((outcome.figure, outcome.verdict), (3, "missed"))
        self.assertNotIn("primes: peak memory above the leanest peer's", found)

    def test_without_filch_or_without_a_peer_there_is_nothing_to_judge(self):
        self.assertEqual(self.found(record(FIB, "tbb", 1), record(UTS, "filch", 1), record(UTS, "serial", 1)), {})


class Tables(unittest.TestCase):
    def test_the_best_of_a_line_is_bold_and_serial_never_is(self):
        records = [record(FIB, "serial", 0.5), record(FIB, "filch", 1), record(FIB, "tbb", 20)]
        text = grid_table.markdown(Standings(records, COMPILER), report.short)
        self.assertIn("| problem | best, s | serial | filch | tbb |", text)
        self.assertIn(f"| {FIB.title} | 1 | 0.5~ | **1~** | 20~ |", text)

    def test_where_nothing_was_measured_there_is_no_table(self):
        self.assertEqual(grid_table.markdown(Standings([], COMPILER), report.short), "")

    LINES = [folded.Line("sort, few: tbb against filch, workers: 1", ">= 1 x", COMPILER, "1.26 x~"),
             folded.Line("sort, few: rayon against filch, workers: 1", ">= 1 x", COMPILER, "0.9 x*", True, "Known."),
             folded.Line("sort, few: rayon against filch, workers: 2", ">= 1 x", COMPILER, "0.95 x", True, "Known."),
             folded.Line("sort, few: gnu against filch, workers: 2", ">= 1 x", COMPILER, ""),
             folded.Line("late", "<= 1 us", COMPILER, "3 us~", True)]

    def test_peers_of_one_thing_share_a_line_and_those_ahead_are_bold(self):
        self.assertEqual(folded.beside_peers(self.LINES, [COMPILER]).splitlines()[2:], ["| sort, few | >= 1 x | tbb 1.26~, **rayon** 0.9* | **rayon** 0.95 |"])
        self.assertEqual(folded.beside_peers(self.LINES[-1:], [COMPILER]), "")

    def test_losses_of_one_reason_stand_together(self):
        self.assertEqual(folded.losses(self.LINES).splitlines(), [f"- sort, few: rayon 0.9* (1), rayon 0.95 (2), {COMPILER}. Known.", f"- late: 3 us~, {COMPILER}"])

    def test_the_report_of_a_run_has_both_bars_and_grid(self):
        records = [record(FIB, "filch", 1), record(FIB, "tbb", 20)]
        machine = {"processor": "P", "cores": 2, "system": "S", "kernel": "K", "compilers": {COMPILER: "g++"}, "commit": None, "rustc": None, "oneTBB": None,
                   "Rayon": None}
        text = report.markdown(verdicts.outcomes(records, [COMPILER]), {r.cell: r for r in records}, machine, "run", "2026-01-01", [])
        self.assertIn("| fib: filch against the best peer | <= 1.03 x | 0.05 x (", text)
        self.assertIn(f"| {FIB.title} | 1 | ", text)


if __name__ == "__main__":
    unittest.main()
