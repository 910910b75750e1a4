"""Tests of the grid's standings and of the page: which peer is best, what is a loss, what merging keeps, and that the page fetches nothing."""

import json
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import run  # noqa: E402
from harness import builds, merge, page, reasons, report  # noqa: E402
from harness.cells import Cell, Record, Sample  # noqa: E402
from harness.grid import ALGORITHMS, EVERYONE, RIVALS, absences, entries, known_places, place_of  # noqa: E402
from harness.rows import Row, Table, at_least, at_most  # noqa: E402
from harness.standings import Standings  # noqa: E402

COMPILER = "g++-12"
MACHINE = {"processor": "P", "cores": 2, "system": "S", "kernel": "K", "compilers": {COMPILER: "g++"}, "commit": None, "rustc": None,
           "oneTBB": None, "Rayon": None}
FIB, SKYNET = (next(entry for entry in entries(False) if entry.problem == problem) for problem in ("fib", "skynet"))


def record(entry, peer, seconds, workers=1, **more):
    return Record(entry.cell(peer, COMPILER, workers), 1, [Sample({"seconds": seconds, "peak_rss_kib": 2048}, 1.0, 0.0)], **more)


DISTURBED = Record(SKYNET.cell("go", COMPILER, 1), 2, [Sample({"seconds": 1}, 1.0, 0.0), Sample({"seconds": 2}, 1.0, 0.9)])
RECORDS = [record(FIB, "serial", 1), record(FIB, "filch", 2), record(FIB, "tbb", 32), record(FIB, "rayon", 8),
           record(FIB, "filch", 1, 2), record(FIB, "tbb", 16, 2),
           record(SKYNET, "filch", 2), record(SKYNET, "tbb", 8), record(SKYNET, "rayon", 1)]


def part(records, command="bench/run.py"):
    return merge.Part(dict(MACHINE), command, "2026-01-01", list(records))


class Grid(unittest.TestCase):
    def test_every_line_has_a_source_for_each_of_its_peers_and_a_place_of_its_own(self):
        folder = Path(__file__).resolve().parents[1]
        for quick in (False, True):
            lines = entries(quick)
            self.assertEqual(len({line.place for line in lines}), len(lines))
            for line in lines:
                for peer in line.peers:
                    names = ("rival.cpp",) if peer in RIVALS else (f"{peer}.rs", peer)
                    sources = [builds.source_of(line.problem, peer), *(folder / line.problem / name for name in names)]
                    self.assertTrue(any(source.exists() for source in sources), f"{line.title}: {peer}")

    def test_a_cell_finds_the_line_that_it_was_made_by(self):
        for line in entries(True):
            for cell in line.cells(COMPILER, (1, 2)):
                self.assertEqual(known_places()[place_of(cell)], line)

    def test_who_does_not_stand_at_a_problem_has_one_reason_and_who_stands_there_none(self):
        standing, reasons = {}, [(peer, problem) for peer, problems, _ in absences() for problem in problems]
        for line in entries(False):
            standing.setdefault(line.problem, set()).update(line.peers)
        expected = {"forks": set(EVERYONE), "loops": {*EVERYONE, *ALGORITHMS}, "parts": set()}
        could = {line.problem: expected[line.kind] for line in entries(False)}
        missing = {(peer, problem) for problem, peers in could.items() for peer in peers - standing[problem]}
        self.assertEqual(sorted(reasons), sorted(missing))

    def test_what_is_measured_alone_is_measured_with_one_worker(self):
        counts = {line.case: {cell.workers for cell in line.cells(COMPILER, (2, 4))} for line in entries(False) if line.problem == "deques"}
        self.assertEqual(counts, {"push-pop": {1}, "steal": {1}, "contended": {2, 4}})

    def test_the_serial_program_is_measured_once(self):
        self.assertEqual([cell.workers for cell in FIB.cells(COMPILER, (1, 2, 4)) if cell.peer == "serial"], [1])


class Standing(unittest.TestCase):
    def setUp(self):
        self.standings = Standings(RECORDS, COMPILER)

    def test_the_best_is_a_peer_or_filch_and_never_the_serial_program(self):
        self.assertEqual(self.standings.best(FIB, 1), 2)
        self.assertEqual(self.standings.ratio(FIB, "serial", 2), 1)

    def test_means_are_geometric_and_over_the_shared_problems(self):
        self.assertAlmostEqual(self.standings.mean_against_filch("tbb", 1)[0], 8)
        self.assertEqual(self.standings.mean_against_filch("rayon", 2), (None, 0))

    def test_a_peer_that_is_ahead_is_a_loss(self):
        self.assertEqual([(loss.entry, loss.peer, loss.ratio) for loss in self.standings.losses()], [(SKYNET, "rayon", 2)])

    def test_speedups_are_over_the_serial_program(self):
        self.assertEqual(self.standings.speedups(FIB)["filch"], [(1, 0.5), (2, 1)])

    def test_what_failed_or_was_skipped_stands_nowhere(self):
        self.assertFalse(Standings([record(FIB, "filch", 1, failure="x"), record(FIB, "tbb", 1, skipped="y")], COMPILER).lines)


class Merging(unittest.TestCase):
    def test_what_a_run_keeps_comes_back_as_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.json"
            kept = report.as_json([], {r.cell: r for r in [*RECORDS, DISTURBED]}, MACHINE, "bench/run.py", "2026-01-01", ["n"])
            path.write_text(json.dumps(kept), encoding="utf-8")
            self.assertEqual(merge.read(path), merge.Part(MACHINE, "bench/run.py", "2026-01-01", [*RECORDS, DISTURBED], ["n"]))

    def test_a_file_of_something_else_is_refused_by_name(self):
        with self.assertRaisesRegex(SystemExit, "page_test.py holds no run"):
            merge.read(Path(__file__))

    def test_runs_on_one_machine_are_joined_and_others_stay_apart(self):
        other = part(RECORDS[:1])
        other.machine["cores"] = 16
        merged = merge.merge([part([record(FIB, "filch", 1)]), other, part([record(FIB, "filch", 3), record(FIB, "tbb", 1)])])
        self.assertEqual([len(each.records) for each in merged], [2, 1])
        self.assertEqual(merged[0].records[0].median("seconds"), 2)

    def test_a_row_of_what_was_not_told_then_is_left_out(self):
        rows = [row for row in Table(COMPILER, False).rows if row.problem == "echo"]
        records = [Record(cell, 1, [Sample({"seconds": 1.0}, 1.0, 0.0)]) for cell in {cell for row in rows for cell, _ in row.readings}]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "old.json"
            path.write_text(json.dumps(report.as_json([], {r.cell: r for r in records}, MACHINE, "bench/run.py", "2026-01-01", [])), encoding="utf-8")
            self.assertEqual(run.main(["--merge", str(path)]), 0)
            html = path.with_suffix(".html").read_text(encoding="utf-8")
        self.assertIn("echo of 64 bytes, connections: 16: Tokio against filch", html)
        self.assertNotIn("processor time of Tokio a message", html)

    def test_samples_of_two_commits_are_of_neither_alone(self):
        parts = [part(RECORDS), part(RECORDS)]
        parts[0].machine["commit"], parts[1].machine["commit"] = "abc", "def"
        self.assertEqual(merge.merge(parts)[0].machine["commit"], "abc and def")


class Fetches(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, name, attributes):
        self.found += [(name, key) for key, value in attributes if key in ("src", "href", "xlink:href") or "url(" in (value or "")]


class Page(unittest.TestCase):
    def setUp(self):
        self.html = page.html([part(RECORDS, "run <&>")])

    def test_it_fetches_nothing(self):
        parser = Fetches()
        parser.feed(self.html)
        self.assertEqual(parser.found, [])
        self.assertNotIn("@import", self.html)
        self.assertNotIn("url(", self.html)

    def test_it_is_for_light_and_dark(self):
        self.assertIn("color-scheme: light dark", self.html)

    def test_a_loss_stands_there_with_its_reason_and_one_without_says_so(self):
        scan = next(entry for entry in entries(False) if entry.problem == "scan")
        explained = [record(scan, "filch", 2), record(scan, "gnu", 1)]
        self.assertIn("one pass carries the sums from chunk to chunk", page.html([part(explained)]))
        behind = [record(FIB, "filch", 2), record(FIB, "tbb", 1)]
        self.assertIn("No reason is known", page.html([part(behind)]))

    def test_every_reason_fits_a_line_of_the_grid_or_a_row_of_the_table(self):
        places = {(line.problem, peer, line.case) for line in entries(False) for peer in line.peers} | {reasons.place_of_row(row) for row in Table(COMPILER, False).rows}
        for each in reasons.load():
            self.assertTrue(any(reasons.fits(each, place) for place in places), each)

    def test_a_missed_bar_and_a_peer_that_is_ahead_stand_there_with_their_reasons(self):
        def outcome(problem, peer, figure, bar=None, **more):
            cells = tuple((Cell(problem, name, COMPILER), "seconds") for name in ("filch", peer))
            row = Row(problem, f"{problem} against {peer}", cells, None, "x", bar, **more)
            return report.Outcome(row, COMPILER, figure, report.verdict_of(bar, figure))
        lost = [outcome("nqueens", "serial", 1.1, at_most(1.02)), outcome("scan", "gnu", 0.9, lost_below=1)]
        shown = page.bars([*lost, outcome("fib", "tbb", 24, at_least(20)), outcome("fib", "rayon", 4, lost_below=1)], COMPILER, reasons.load())
        behind = shown[shown.index("Bars that are missed"):]
        self.assertIn("A call more for each row", behind)
        self.assertIn("Bound by memory bandwidth", behind)
        self.assertNotIn("fib against", behind)

    def test_what_others_wrote_is_escaped(self):
        self.assertIn("run &lt;&amp;&gt;", self.html)

    def test_skipped_and_failed_contenders_are_named(self):
        html = page.html([part([*RECORDS, record(FIB, "go", 1, skipped="there is no go"), record(SKYNET, "omp", 1, failure="hung")])])
        self.assertIn("go: there is no go", html)
        self.assertIn("failed, hung", html)


if __name__ == "__main__":
    unittest.main()
