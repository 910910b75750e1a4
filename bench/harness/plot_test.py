"""Tests of the picture in README.md: a page is read back, and each figure drawn is of it."""

import contextlib
import io
import math
import re
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import plot  # noqa: E402
from harness import report, summary  # noqa: E402
from harness.cells import Cell, Record, Sample  # noqa: E402
from harness.grid import entries  # noqa: E402
from harness.rows import Row, Table, at_most, fork_count  # noqa: E402

COMPILER = "g++-12"
PAGE = """What a guest is, in words.

# Figures of {date}

Made by `bench/run.py` on 8 cores of A & B, Debian 12, Linux 6; commit 1234abc. g++-12. A tilde: x.

| what | bar | g++-12 | clang++-19 |
|---|---|---|---|
| idle: CPU over the 10 s after the last job | <= 1 ms/s | 0.25 ms/s, **met** | 0.75 ms/s |
| late | <= 80 us | 1,097.5 us*, **missed** | skipped: x |
| fib: filch against the best peer | <= 1.03 x | 0.5 x (fib(27), rayon), **met** | |

## Without a bar

| what | g++-12 | clang++-19 |
|---|---|---|
| one submit: above the same program | -4.18 % of a core~ | 5 % of a core |
| omp: idle: CPU over the 10 s after the last job | 0.5 ms/s | skipped: x |

## The grid, C++ by g++-12: time over the best peer's

1 worker:

| problem | best, s | serial | filch | rayon | tbb | omp |
| --- | --- | --- | --- | --- | --- | --- |
| fib(27) | 2e-03 | 0.5~ | **1~** | 4.25 | 1,000.5* |  |

2 workers:

| problem | best, s | serial | filch | rayon | tbb | omp |
| --- | --- | --- | --- | --- | --- | --- |
| tree sum, 1,000 nodes | 2e-06 | 0.5 | 2 | **1** |  | 1,000~ |

## The grid, C++ by clang++-19: time over the best peer's

1 worker:

| problem | best, s | serial | filch |
| --- | --- | --- | --- |
| fib(27) | 7 | 0.5~ | **1~** |
"""
MACHINE = {"processor": "P", "cores": 2, "system": "S", "kernel": "K", "commit": "89abcde",
           "compilers": {COMPILER: "g++"}, "rustc": None, "oneTBB": None, "Rayon": None}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def runs(self, text, name="b-8-cores.md"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return summary.read(self.folder / name)


class Reading(Folder):
    def test_figures_are_those_of_the_first_compiler_with_unit_and_mark(self):
        run, = self.runs(PAGE.format(date="2026-01-02"))
        self.assertEqual(run.figures, {
            plot.IDLE: summary.Figure(0.25, "ms/s"), "late": summary.Figure(1097.5, "us", "*"),
            "fib: filch against the best peer": summary.Figure(0.5, "x"),
            "one submit: above the same program": summary.Figure(-4.18, "% of a core", "~"),
            plot.idle_row("omp"): summary.Figure(0.5, "ms/s")})
        self.assertEqual(run.limits["late"], summary.Figure(80, "us"))

    def test_times_of_the_grid_are_the_best_times_the_ratio_and_an_empty_cell_is_none(self):
        run, = self.runs(PAGE.format(date="2026-01-02"))
        self.assertEqual(run.grid["fib(27)", 1], {
            "serial": summary.Figure(0.001, "s", "~"), "filch": summary.Figure(0.002, "s", "~"),
            "rayon": summary.Figure(0.0085, "s"), "tbb": summary.Figure(2.001, "s", "*")})

    def test_a_run_knows_its_machine_and_a_page_may_hold_several(self):
        first, second = self.runs(PAGE.format(date="2026-01-02") + PAGE.format(date="2026-01-03"))
        self.assertEqual((first.date, second.date), ("2026-01-02", "2026-01-03"))
        self.assertEqual((second.cores, second.processor, second.commit, second.compiler),
                         (8, "A & B", "1234abc", COMPILER))

    def test_a_run_without_its_machine_is_refused_by_name(self):
        with self.assertRaisesRegex(ValueError, "b-8-cores.md: the section of 2026-01-02"):
            self.runs("# Figures of 2026-01-02\n\nMade at night.\n")

    def test_what_a_run_writes_is_read_back(self):
        fib = next(entry for entry in entries(False) if entry.title == "fib(27)")
        records = {each.cell: each for each in (
            Record(fib.cell(peer, COMPILER, 1), 1, [Sample({"seconds": seconds}, 1.0, 0.0)])
            for peer, seconds in (("serial", 1.0), ("filch", 2.0), ("tbb", 2468.0)))}
        reading = Cell("idle", "filch", COMPILER), "cpu_ms_per_second"
        row = Row("idle", plot.IDLE, (reading,), float, "ms/s", at_most(1))
        outcomes = [report.Outcome(row, COMPILER, 0.00445, "met", unsettled=True)]
        run, = self.runs(report.markdown(outcomes, records, MACHINE, "c", "2026-01-02", []))
        self.assertEqual(run.figures, {plot.IDLE: summary.Figure(0.00445, "ms/s", "~")})
        self.assertEqual({peer: time.number for peer, time in run.grid["fib(27)", 1].items()},
                         {"serial": 1.0, "filch": 2.0, "tbb": 2468.0})
        self.assertEqual((run.cores, run.processor, run.commit), (2, "P", "89abcde"))


class Drawing(Folder):
    def test_the_grid_and_the_table_have_what_is_drawn(self):
        titles = {entry.title for entry in entries(False)}
        self.assertLessEqual({f"fib({plot.FIB})", plot.TREE}, titles)
        rows = {row.what for row in Table(COMPILER, False).rows}
        self.assertLessEqual({plot.idle_row(peer) for peer in plot.NAMES}, rows)

    def test_what_an_idle_pool_uses_is_asked_of_all_contenders_alike(self):
        wanted = {plot.idle_row(peer) for peer in plot.NAMES}
        cells = [row.readings[0][0] for row in Table(COMPILER, False).rows if row.what in wanted]
        self.assertEqual({cell.peer for cell in cells}, set(plot.NAMES))
        self.assertEqual(len({(*cell.arguments, cell.samples) for cell in cells}), 1)

    def test_each_panel_has_the_figures_of_the_page_and_names_who_is_missing(self):
        run, = self.runs(PAGE.format(date="2026-01-02"))
        fork, small, idle = plot.panels(run)
        each = 1e6 / fork_count(27)  # ns a fork, for a millisecond of all
        self.assertEqual([bar.name for bar in fork.bars], ["filch", "oneTBB", "Rayon"])
        for bar, wanted in zip(fork.bars, (each, 2000 * each, 7.5 * each)):
            self.assertAlmostEqual(bar.value, wanted)
        self.assertEqual([bar.said for bar in fork.bars], ["3.1 ns", "6,300 ns", "24 ns"])
        self.assertEqual([(bar.name, bar.said) for bar in small.bars], [
            ("filch", "4.0 us"), ("Rayon", "2.0 us"), ("OpenMP", "2,000 us"),
            ("serial", "1.0 us (plain recursion)")])
        self.assertEqual([(bar.name, bar.said) for bar in idle.bars],
                         [("filch", "0.25 ms/s"), ("OpenMP", "0.5 ms/s"), ("our limit", "1 ms/s")])
        self.assertEqual([panel.missing for panel in (fork, small, idle)], [
            "Not measured: OpenMP, Go.", "Not measured: oneTBB, Go.",
            "Not measured: oneTBB, Rayon, Go."])

    def test_the_picture_is_well_formed_small_and_says_all_figures_in_words(self):
        run, = self.runs(PAGE.format(date="2026-01-02"))
        drawing = plot.draw(run)
        root = ElementTree.fromstring(drawing)
        self.assertLess(len(drawing), 20_000)
        about = root.find("{http://www.w3.org/2000/svg}desc").text
        for panel in plot.panels(run):
            self.assertIn(str(panel), about)
        self.assertIn("8 cores of A & B, g++-12. 4 of 9 figures are hints", about)
        self.assertIn("prefers-color-scheme:dark", drawing)
        self.assertFalse(re.search(r"(?:href|src|url)\b", drawing), "it fetches something")

    def test_bars_are_as_long_as_their_figures_and_the_longest_ends_at_the_right(self):
        run, = self.runs(PAGE.format(date="2026-01-02"))
        root = ElementTree.fromstring(plot.draw(run))
        _, *rects = root.findall("{http://www.w3.org/2000/svg}rect")  # the first is the ground
        lengths = [float(rect.get("width")) for rect in rects]
        width = plot.RIGHT - plot.LEFT
        each = 1e6 / fork_count(27)
        fork = [width * math.log(ns, 2000 * each) for ns in (each, 2000 * each, 7.5 * each)]
        small = [width * math.log10(us / 0.1) / math.log10(2000 / 0.1) for us in (4, 2, 2000, 1)]
        idle = [width / 4, width / 2, width]
        for drawn, wanted in zip(lengths, [*fork, *small, *idle], strict=True):
            self.assertAlmostEqual(drawn, wanted, delta=0.1)

    def test_the_newest_run_with_all_of_filch_is_drawn_and_of_one_day_the_fuller(self):
        whole = PAGE.format(date="2026-01-02")
        fuller, = self.runs(whole.replace("| **1** |  |", "| **1** | 7 |"))
        usual, = self.runs(whole, "z-8-cores.md")
        partial, = self.runs(PAGE.format(date="2026-01-09").replace("tree sum", "sum"))
        later, = self.runs(PAGE.format(date="2026-01-03"))
        self.assertIs(plot.newest([fuller, usual, partial]), fuller)
        self.assertIs(plot.newest([fuller, later, partial]), later)
        with self.assertRaisesRegex(SystemExit, "no page has"):
            plot.newest([partial])


class Command(Folder):
    def test_check_writes_nothing_and_fails_until_the_picture_is_drawn(self):
        page, picture = self.folder / "b-8-cores.md", self.folder / "speed.svg"
        page.write_text(PAGE.format(date="2026-01-02"), encoding="utf-8")
        words = ["--page", str(page), "--picture", str(picture)]
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(plot.main([*words, "--check"]), 1)
        self.assertRegex(said.getvalue(), r"speed\.svg is not what b-8-cores\.md says: run")
        self.assertFalse(picture.exists())
        self.assertEqual(plot.main(words), 0)
        self.assertEqual(plot.main([*words, "--check"]), 0)
        newer = PAGE.format(date="2026-01-02").replace("0.25 ms/s", "0.26 ms/s")
        page.write_text(newer, encoding="utf-8")
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(plot.main([*words, "--check"]), 1)


if __name__ == "__main__":
    unittest.main()
