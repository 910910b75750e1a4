"""Tests of the harness: what counts as disturbed, what is compared, and what happens when a contender goes wrong."""

import re
import stat
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ablate  # noqa: E402
import callgrind  # noqa: E402
import run  # noqa: E402
from harness import agreement, builds, campaign, languages, progress, report, sampling  # noqa: E402
from harness.cells import Cell, Record, Sample  # noqa: E402
from harness.merge import Part  # noqa: E402
from harness.rows import Row, Table, at_least, at_most, fork_count  # noqa: E402

SOURCE_OF = {"rayon": "rayon.rs", "tokio": "tokio.rs", "go": "go"}
CELL = Cell("fib", "filch", "g++-12")


def setUpModule():
    unittest.enterModuleContext(mock.patch.object(progress, "print", create=True))


def sample(value, foreign=0.0, seconds=1.0):
    return Sample({"seconds": value}, seconds, foreign)


def record_of(cell, *samples, wanted=None):
    return Record(cell, wanted or len(samples), list(samples))


class Contender:
    """A shell script in the place of a contender."""

    def __init__(self, body):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "contender"
        self.path.write_text("#!/bin/sh\n" + body, encoding="ascii")
        self.path.chmod(self.path.stat().st_mode | stat.S_IXUSR)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        self.folder.cleanup()


class Agreement(unittest.TestCase):
    @staticmethod
    def part(**seconds):
        """A run of fib(20) with so many seconds for each contender, at one worker."""
        cells = {peer: Cell("fib", peer, "rayon" if peer == "rayon" else "g++-12", 1, 20, None, 5) for peer in seconds}
        return Part({"compilers": {"g++-12": "12.2"}}, "", "", [record_of(cells[peer], sample(*value) if isinstance(value, tuple) else sample(value))
                                                                for peer, value in seconds.items()])

    def test_ratios_that_differ_by_more_than_a_twentieth_are_told_the_worst_first(self):
        found = agreement.pairs(self.part(filch=1, tbb=20, rayon=3, serial=0.5), self.part(filch=2, tbb=44, rayon=6.9, serial=1.04))
        self.assertEqual([(pair.what.split(": ")[1], round(pair.difference, 3)) for pair in found], [("rayon", 0.15), ("tbb", 0.1), ("serial", 0.04)])
        self.assertEqual(len(agreement.apart(found)), 2)
        text = agreement.markdown(found, ["a", "b"])
        self.assertIn("3 ratios to filch's time are in both runs; 1 agree within 5%, 2 do not.", text)
        self.assertIn("| fib(20), g++-12, 1 worker: rayon | 3 | 3.45 | 15.0% |", text)

    def test_it_does_not_matter_which_run_is_the_slower_one(self):
        one, other = self.part(filch=1, tbb=20), self.part(filch=1, tbb=18)
        self.assertEqual([pair.difference for pair in agreement.pairs(one, other)], [pair.difference for pair in agreement.pairs(other, one)])

    def test_what_was_disturbed_is_counted_apart(self):
        found = agreement.pairs(self.part(filch=1, tbb=20), self.part(filch=1, tbb=(40, 0.9)))
        self.assertEqual(agreement.apart(found), [])
        self.assertIn("0 agree within 5%, 0 do not, 1 were disturbed", agreement.markdown(found, ["a", "b"]))

    def test_runs_of_which_all_was_disturbed_do_not_agree(self):
        disturbed = self.part(filch=1, tbb=(20, 0.9))
        self.assertFalse(agreement.agree(agreement.pairs(disturbed, disturbed)))
        self.assertTrue(agreement.agree(agreement.pairs(self.part(filch=1, tbb=20), self.part(filch=1, tbb=20))))

    def test_runs_that_share_nothing_do_not_agree(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(run.merge, "read", side_effect=[self.part(filch=1, tbb=2), self.part(filch=1, rayon=2)]), \
                mock.patch("builtins.print"):
            self.assertEqual(run.main(["--compare", f"{folder}/a.json", f"{folder}/b.json"]), 1)


class Disturbance(unittest.TestCase):
    def test_load_of_others_below_three_percent_is_accepted(self):
        self.assertFalse(sample(1, foreign=0.29, seconds=10).disturbed)
        self.assertTrue(sample(1, foreign=0.33, seconds=10).disturbed)

    def test_a_short_run_is_not_judged_finer_than_the_kernel_counts(self):
        self.assertFalse(sample(1, foreign=0.02, seconds=0.01).disturbed)

    def test_a_median_is_of_undisturbed_samples_only(self):
        record = record_of(CELL, sample(1), sample(9, foreign=0.5), sample(2), sample(3), wanted=3)
        self.assertEqual(record.median("seconds"), 2)
        self.assertFalse(record.disturbed)

    def test_without_enough_quiet_the_least_disturbed_are_taken_and_marked(self):
        record = record_of(CELL, sample(9, foreign=0.9), sample(1, foreign=0.1), sample(9, foreign=0.8), wanted=1)
        self.assertEqual(record.median("seconds"), 1)
        self.assertTrue(record.disturbed)

    def test_stolen_time_counts_and_waiting_does_not(self):
        tick = 1 / sampling.os.sysconf("SC_CLK_TCK")
        self.assertAlmostEqual(sampling.busy_seconds("cpu 1 2 3 1000 1000 4 5 6 7 8\ncpu0 0 0 0"), 21 * tick)


class Running(unittest.TestCase):
    def test_a_sample_is_the_median_of_the_repeats(self):
        lines = "".join(f"""echo '{{"problem": "p", "seconds": {s}, "correct": true}}'\n""" for s in (3, 1, 2))
        with Contender(lines) as program:
            values = sampling.run_once(program, []).values
        self.assertEqual(values["seconds"], 2)
        self.assertLess(0, values["cpu_seconds"])  # that of the shell

    def test_a_wrong_result_is_a_failure_whatever_the_exit_status(self):
        with Contender("""echo '{"seconds": 1, "correct": false}'""") as program:
            with self.assertRaisesRegex(sampling.ContenderFailed, "wrong result"):
                sampling.run_once(program, [])

    def test_a_program_that_ends_badly_for_a_wrong_result_is_not_said_to_be_silent(self):
        with Contender("""echo '{"seconds": 1, "correct": false}'; exit 1""") as program:
            with self.assertRaisesRegex(sampling.ContenderFailed, "wrong result"):
                sampling.run_once(program, [])

    def test_a_crash_is_a_failure_that_quotes_the_program(self):
        with Contender("echo 'out of luck' >&2; exit 3") as program:
            with self.assertRaisesRegex(sampling.ContenderFailed, "status 3: out of luck"):
                sampling.run_once(program, [])

    def test_silence_is_a_failure(self):
        with Contender("exit 0") as program:
            with self.assertRaisesRegex(sampling.ContenderFailed, "no sample"):
                sampling.run_once(program, [])

    def test_what_is_no_sample_is_a_failure_that_quotes_it(self):
        for line in ("ready", "[1]", '{"seconds": 1}', "7"):
            with self.subTest(line), Contender(f"echo '{line}'") as program:
                with self.assertRaisesRegex(sampling.ContenderFailed, f"no sample: {re.escape(line)}"):
                    sampling.run_once(program, [])

    def test_what_cannot_be_run_is_a_failure(self):
        with self.assertRaisesRegex(sampling.ContenderFailed, "cannot be run: No such file"):
            sampling.run_once("/no/such/program", [])

    def test_an_absent_peer_is_skipped_with_its_reason_and_the_others_are_measured(self):
        absent = Cell("fib", "tbb", "g++-12")

        def find_program(cell):
            if cell == absent:
                raise LookupError("no such peer")
            return program

        with Contender("""echo '{"seconds": 1, "correct": true}'""") as program:
            records, _ = campaign.measure([CELL, absent], find_program, 2)
        self.assertEqual(records[absent].skipped, "no such peer")
        self.assertGreaterEqual(len(records[CELL].samples), 2)


class Building(unittest.TestCase):
    def built(self, problems):
        """The words of the command that builds, if these problems are asked for."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(builds, "run", return_value="") as called, \
                mock.patch.object(builds.shutil, "which", return_value="there"):
            builds.Builds(folder, problems).build_cpp("g++-12", 2)
        return called.call_args_list[-1].args[0]

    def test_one_problem_needs_no_program_of_another(self):
        words = self.built(["fib", "skynet"])
        self.assertEqual(words[words.index("--target") + 1:-2], ["contenders_fib", "contenders_skynet"])

    def test_without_a_problem_all_are_built(self):
        words = self.built(None)
        self.assertEqual(words[words.index("--target") + 1:-2], ["contenders"])

    def test_every_problem_of_the_grid_has_a_target(self):
        # CMake makes one for each folder with this header, whatever is installed.
        for problem in {cell.problem for entry in run.entries(False) for cell in entry.cells("g++-12", [1, 2])}:
            self.assertTrue((languages.BENCH / problem / "problem.hpp").exists(), problem)


class Keeping(unittest.TestCase):
    def test_only_a_run_of_everything_is_whole(self):
        for words in ([], ["--minutes", "60"], ["--compilers", "g++-12"]):
            self.assertTrue(run.is_whole(run.parse(words)), words)
        for words in (["--quick"], ["--problem", "fib"], ["--samples", "1"], ["--grid"], ["--workers", "2"]):
            self.assertFalse(run.is_whole(run.parse(words)), words)

    def test_a_second_run_of_a_day_leaves_the_first_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            wanted = [Path(folder) / name for name in ("day.json", "day-2.json", "day-3.json")]
            for path in wanted:
                self.assertEqual(run.unused(wanted[0]), path)
                path.touch()

    def test_a_peer_that_does_not_compile_is_left_out_by_name(self):
        with mock.patch.object(languages, "build_go", side_effect=languages.BuildFailed("go build\nno such type")), \
                mock.patch.object(languages, "build_crates"):
            self.assertEqual(languages.build_all(Path("nowhere")), ["go was not built: go build\nno such type"])


class Ablation(unittest.TestCase):
    TABLE = """enum class row : unsigned char {
  /// What it does.
  /// Bench: fib --size 3
  /// Bench: idle --case quiet (cpu_seconds)
  first,
  /// Names none.
  second,
};"""

    def test_a_row_has_the_benchmarks_that_its_comment_names(self):
        first, second = ablate.rows_of(self.TABLE)
        self.assertEqual([str(bench) for bench in first.benches], ["fib --size 3", "idle --case quiet (cpu_seconds)"])
        self.assertEqual((first.bit, second.bit, second.benches), (0, 1, ()))

    def test_a_row_without_a_benchmark_and_one_that_names_what_is_not_there_do_not_pass(self):
        wrong = list(ablate.misfits(ablate.rows_of(self.TABLE.replace("fib", "no_such_problem"))))
        self.assertEqual(len(wrong), 2)
        self.assertIn("bench/no_such_problem", wrong[0])
        self.assertIn("second names no benchmark", wrong[1])

    def test_with_and_without_are_run_by_turns_and_the_switch_is_the_rows_bit(self):
        with Contender('echo "{\\"correct\\": true, \\"seconds\\": ${FILCH_ABLATE:-7}}"') as program:
            on, off, ratios = ablate.measure(program, ablate.Bench("fib", (), "cpu_seconds"), 3, 1, 2)
            self.assertGreater(off, 0)
            with self.assertRaises(ablate.ContenderFailed):
                ablate.measure(program, ablate.Bench("fib", (), "absent"), 3, 1, 2)
        with Contender('echo "{\\"correct\\": true, \\"seconds\\": $((1 + FILCH_ABLATE))}"') as program:
            self.assertEqual(ablate.measure(program, ablate.Bench("fib", (), "seconds"), 3, 2, 2), (1, 9, [9, 9]))


class Clock:
    """In the place of `sampling.run_once`: each run takes `seconds` of a clock that nothing else moves, and the `interrupted`-th meets Ctrl-C."""

    def __init__(self, seconds=1.0, interrupted=None):
        self.now, self.seconds, self.runs_left = 0.0, seconds, interrupted

    def run_once(self, *_):
        if self.runs_left is not None:
            self.runs_left -= 1
            if self.runs_left < 0:
                raise KeyboardInterrupt
        self.now += self.seconds
        return sample(self.now)  # each time another, so that no median settles

    def measure(self, problems, samples, **limits):
        cells = [Cell(problem, peer, "g++-12") for problem in problems for peer in ("filch", "serial")]
        with mock.patch.object(sampling, "run_once", side_effect=self.run_once), mock.patch.object(sampling.time, "monotonic", side_effect=lambda: self.now):
            records, left_out = campaign.measure(cells, lambda _: "program", samples, **limits)
        return {problem: [len(records[cell].samples) for cell in cells if cell.problem == problem and cell in records] for problem in problems}, left_out, records


class Limits(unittest.TestCase):
    def test_a_limit_is_shared_among_the_problems(self):
        taken, _, _ = Clock().measure(("fib", "skynet", "uts"), 5, seconds=18)
        self.assertEqual(taken, {"fib": [3, 3], "skynet": [3, 3], "uts": [3, 3]})

    def test_what_one_problem_leaves_the_next_ones_get(self):
        clock = Clock()
        whole, _, _ = clock.measure(("fib", "skynet"), 4, seconds=100)
        self.assertEqual((whole, clock.now), ({"fib": [4, 4], "skynet": [4, 4]}, 16))

    def test_everything_is_measured_once_however_short_the_limit(self):
        taken, left_out, records = Clock().measure(("fib", "skynet"), 5, seconds=0.5)
        self.assertEqual((taken, left_out), ({"fib": [1, 1], "skynet": [1, 1]}, []))
        self.assertTrue(all(record.settled is False and not record.disturbed for record in records.values()))

    def test_samples_that_were_not_taken_count_as_unsettled_and_not_as_disturbed(self):
        _, _, records = Clock().measure(("fib",), 5, seconds=6)
        self.assertEqual({(len(record.samples), record.settled, record.disturbed) for record in records.values()}, {(3, False, False)})


class Interruption(unittest.TestCase):
    def test_ctrl_c_keeps_the_problems_that_are_complete(self):
        taken, left_out, _ = Clock(interrupted=5).measure(("fib", "skynet", "uts"), 2)
        self.assertEqual((taken, left_out), ({"fib": [2, 2], "skynet": [], "uts": []}, ["skynet", "uts"]))

    def test_within_a_limit_ctrl_c_keeps_what_had_a_round(self):
        taken, left_out, _ = Clock(interrupted=5).measure(("fib", "skynet", "uts"), 2, seconds=100)
        self.assertEqual((taken, left_out), ({"fib": [1, 1], "skynet": [1, 1], "uts": []}, ["uts"]))

    def test_ctrl_c_before_any_problem_is_complete_leaves_what_was_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "kept.json"
            kept.write_text("earlier", encoding="utf-8")
            with mock.patch.object(sampling, "run_once", side_effect=KeyboardInterrupt), mock.patch.object(run.Builds, "find_program", return_value="program"), \
                    mock.patch.object(run, "build", return_value=(["g++-12"], [])):
                self.assertEqual(run.main(["--problem", "fib", "--compilers", "g++-12", "--json", str(kept)]), run.EXIT_INTERRUPTED)
            self.assertEqual(kept.read_text(encoding="utf-8"), "earlier")


class Verdicts(unittest.TestCase):
    def judge(self, figure_of, bar, *records):
        row = Row("fib", "what", tuple((r.cell, "seconds") for r in records), figure_of, "x", bar)
        return report.judge(row, "g++-12", {r.cell: r for r in records})

    def test_bars_hold_at_their_limit_and_not_beyond(self):
        self.assertTrue(at_most(2.5).holds(2.5) and at_least(20).holds(20))
        self.assertFalse(at_most(2.5).holds(2.51) or at_least(20).holds(19.9))

    def test_a_figure_is_made_of_medians_in_the_order_of_the_readings(self):
        other = Cell("fib", "serial", "g++-12")
        outcome = self.judge(lambda a, b: a / b, at_most(4), record_of(CELL, sample(6)), record_of(other, sample(2)))
        self.assertEqual((outcome.figure, outcome.verdict), (3, "met"))

    def test_a_missed_bar_is_listed_as_a_loss(self):
        outcome = self.judge(lambda a: a, at_most(4), record_of(CELL, sample(5)))
        self.assertEqual(outcome.verdict, "missed")
        self.assertTrue(outcome.lost)

    def test_a_failed_contender_leaves_no_figure(self):
        outcome = self.judge(lambda a: a, at_most(4), Record(CELL, 1, [], failure="exit status 3"))
        self.assertIsNone(outcome.figure)
        self.assertIn("exit status 3", str(outcome))

    def test_the_table_names_who_failed_or_was_skipped(self):
        failed, skipped = Record(CELL, 1, [], failure="computed a wrong result"), Record(Cell("fib", "tbb", "g++-12"), 1, [], skipped="no such peer")
        facts = {"cores": 2, "processor": "x", "system": "y", "kernel": "z", "commit": "", "compilers": {}, "rustc": "", "oneTBB": "", "Rayon": ""}
        text = report.markdown([], {r.cell: r for r in (failed, skipped)}, facts, "bench/run.py", "today", ["a note"])
        self.assertIn(f"- {CELL}: failed, computed a wrong result", text)
        self.assertIn("- tbb: no such peer", text)
        self.assertIn("- a note", text)

    def test_fork_count_is_calls_that_are_not_leaves(self):
        def count(n):
            return 0 if n < 2 else 1 + count(n - 1) + count(n - 2)

        self.assertEqual([fork_count(n) for n in range(2, 15)], [count(n) for n in range(2, 15)])

    def test_every_row_has_a_source_for_each_cell(self):
        folder = Path(__file__).resolve().parents[1]
        for quick in (False, True):
            for row in Table("g++-12", quick).rows:
                for cell, _ in row.readings:
                    other = SOURCE_OF.get(cell.peer)
                    source = folder / cell.problem / other if other else builds.source_of(cell.problem, cell.peer)
                    self.assertTrue(source.exists(), f"{row.what}: {source}")


class Instructions(unittest.TestCase):
    def test_two_percent_more_than_recorded_is_accepted_and_beyond_that_fails_with_its_cure(self):
        self.assertTrue(callgrind.judge_count(40.8, 40)[0])
        holds, said = callgrind.judge_count(40.81, 40)
        self.assertFalse(holds)
        self.assertIn("change the figure and its reason in instructions.json", said)

    def test_fewer_instructions_pass_and_ask_for_a_lower_record(self):
        self.assertEqual(callgrind.judge_count(39, 40), (True, "39.00 instructions a fork, recorded are 40.00; instructions.json may be lowered"))

    def test_every_record_has_its_reason(self):
        for record in callgrind.json.loads(callgrind.RECORDED.read_text(encoding="utf-8")).values():
            self.assertGreater(len(record["reason"]), 20)


if __name__ == "__main__":
    unittest.main()
