#!/usr/bin/env python3
"""Builds the contenders, measures them in turn and prints the table of figures with their bars; JSON, Markdown and one HTML page.

A run of everything, of whatever --compilers and --minutes, is also kept in bench/results; a partial or quick one only where --json says. With --merge it measures nothing
and makes one page of what runs and sweeps have kept, and with --compare it says whether two runs agree. Ctrl-C ends it early: the problems that are complete by then are judged and kept.
"""

import argparse
import datetime
import itertools
import json
import math
import os
import shlex
import sys
from pathlib import Path

from harness import agreement, campaign, machine, merge, page, report, sampling, settling, verdicts
from harness.builds import ROOT, Builds
from harness.grid import entries
from harness.progress import say
from harness.rows import Table

RESULTS = ROOT / "bench" / "results"
ALL_COMPILERS = "g++-12,clang++-19"
QUICK_COMPILERS, QUICK_WORKERS = "g++-12", [2]
EXIT_INTERRUPTED = 130  # as a shell says it of SIGINT


def worker_counts(text):
    counts = sorted({int(word) for word in text.split(",")})
    if not counts or counts[0] < 1:
        raise argparse.ArgumentTypeError("wants numbers from 1 on, separated by commas")
    return counts


def count(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("wants a number from 1 on")
    return number


def minutes(text):
    length = float(text)
    if not 0 < length < math.inf:
        raise argparse.ArgumentTypeError("wants a number of minutes, more than 0")
    return length


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, one sample, one compiler, two workers: shows that it works, proves nothing")
    parser.add_argument("--problem", action="append", metavar="NAME", help="only this problem; may be repeated")
    parser.add_argument("--peer", action="append", metavar="NAME", help="only this peer, with filch and serial; may be repeated")
    parser.add_argument("--workers", type=worker_counts, metavar="N,N", help="only with so many workers (default: 1,2 and what the bars need)")
    parser.add_argument("--grid", action="store_true", help="only the problems beside their peers, without the table of bars")
    parser.add_argument("--merge", type=Path, nargs="+", metavar="FILE", help="measure nothing; put these into one page")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="FILE", help="measure nothing; say where the ratios of two runs differ by more than 5 %%, and end in 1 then")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples here, and the table and the page beside it as .md and .html; with --merge the page alone")
    parser.add_argument("--compilers", help=f"separated by commas (default: {ALL_COMPILERS}, quick: {QUICK_COMPILERS})")
    parser.add_argument("--samples", type=count, metavar="N", help=f"undisturbed samples of each cell (default: {settling.LEAST}, and up to {settling.MOST} until the median settles; quick: 1)")
    parser.add_argument("--minutes", type=minutes, metavar="N", help="measure for about so long: a round of everything first, and then more of each problem while there is time")
    parser.add_argument("--jobs", type=count, default=os.cpu_count(), help="parallel compilations (default: %(default)s)")
    parser.add_argument("--build", type=Path, default=ROOT / "build", metavar="FOLDER", help="for build trees (default: build)")
    asked = parser.parse_args(words)
    asked.compilers = asked.compilers or (QUICK_COMPILERS if asked.quick else ALL_COMPILERS)
    asked.workers = asked.workers or (QUICK_WORKERS if asked.quick else None)
    return asked


def sample_counts(asked):
    """(samples that every cell gets, and at most how many if its median does not settle)"""
    if asked.samples or asked.quick:
        return asked.samples or 1, 0
    return settling.LEAST, settling.MOST


def build(builds, compilers, jobs):
    """Returns the compilers that there are, and a line for each thing that there is not."""
    present, notes = [], []
    for compiler in compilers:
        say(f"building with {compiler}")
        try:
            notes += [f"{compiler}: {line}" for line in builds.build_cpp(compiler, jobs)]
            present.append(compiler)
        except LookupError as missing:
            notes.append(str(missing.args[0]))
    say("building the other languages")
    return present, notes + builds.build_others()


class Choice:
    """What of everything is asked for."""

    def __init__(self, asked):
        self.problems, self.workers = asked.problem, asked.workers
        self.peers = asked.peer and {*asked.peer, "filch", "serial"}
        self.counts = asked.workers or [1, 2]

    def takes(self, cell):
        return (not self.problems or cell.problem in self.problems) and (not self.peers or cell.peer in self.peers)

    def takes_in_row(self, cell):
        return self.takes(cell) and (not self.workers or cell.workers in self.workers or cell.peer == "serial")

    def rows(self, compilers, quick):
        rows = [(compiler, row) for compiler in compilers for row in Table(compiler, quick).rows]
        return [(compiler, row) for compiler, row in rows if all(self.takes_in_row(cell) for cell, _ in row.readings)]

    def cells(self, compilers, quick):
        cells = [cell for compiler in compilers for entry in entries(quick) for cell in entry.cells(compiler, self.counts)]
        return [cell for cell in cells if self.takes(cell)]

    def complain_if_unknown(self, compilers, quick):
        known = [cell for compiler in compilers for entry in entries(quick) for cell in entry.cells(compiler, self.counts)]
        known += [cell for compiler in compilers for row in Table(compiler, quick).rows for cell, _ in row.readings]
        for what, names, there in (("problem", self.problems, {cell.problem for cell in known}), ("peer", self.peers, {cell.peer for cell in known})):
            for name in names or ():
                if name not in there:
                    raise SystemExit(f"no {what} '{name}': there are {', '.join(sorted(there))}")


def judged(records, compilers):
    """The outcomes of all rows of which everything is there, at either size."""
    rows = [(compiler, row) for compiler in compilers for quick in (False, True) for row in Table(compiler, quick).rows]
    known = {record.cell: record for record in records}
    outcomes = {(compiler, row.what): report.judge(row, compiler, known)
                for compiler, row in rows if all(cell in known and known[cell].has(metric) for cell, metric in row.readings)}
    return [*outcomes.values(), *verdicts.outcomes(records, compilers)]


def write_page(path, parts):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page.html(parts), encoding="utf-8")
    say(f"page: {path}")


def keep(path, outcomes, records, about):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report.as_json(outcomes, records, *about), indent=1) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(report.markdown(outcomes, records, *about), encoding="utf-8")
    say(f"kept in {path} and {path.with_suffix('.md').name}")
    facts, command, date, notes = about
    write_page(path.with_suffix(".html"), [merge.Part(facts, command, date, list(records.values()), notes, outcomes)])


def is_whole(asked):
    """Whether all there is was asked for, of whatever compilers and in whatever time: what took an hour is not lost for want of an option."""
    return not (asked.quick or asked.problem or asked.peer or asked.workers or asked.grid or asked.samples)


def unused(path):
    """The path, or one with a number behind it if earlier runs have left theirs."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in itertools.count(2))
    return next(each for each in itertools.chain([path], numbered) if not each.exists())


def merge_files(asked):
    parts = merge.merge([merge.read(path) for path in asked.merge])
    for part in parts:
        part.outcomes = judged(part.records, part.machine["compilers"])
    write_page((asked.json or asked.merge[0]).with_suffix(".html"), parts)
    return 0


def compare_files(paths):
    found = agreement.pairs(*(merge.read(path) for path in paths))
    print(agreement.markdown(found, [f"{path.parent.name}/{path.stem}" for path in paths]), end="")
    return 0 if agreement.agree(found) else 1


def main(words):
    asked = parse(words)
    if asked.merge:
        return merge_files(asked)
    if asked.compare:
        return compare_files(asked.compare)
    builds = Builds(asked.build, asked.problem)
    choice = Choice(asked)
    choice.complain_if_unknown(asked.compilers.split(","), asked.quick)
    compilers, notes = build(builds, asked.compilers.split(","), asked.jobs)
    if not compilers:
        raise SystemExit("nothing to measure: " + "; ".join(notes))
    rows = [] if asked.grid else choice.rows(compilers, asked.quick)
    cells = [cell for _, row in rows for cell, _ in row.readings] + choice.cells(compilers, asked.quick)
    least, most = sample_counts(asked)
    rounds_for_one = 1 if asked.quick else sampling.MOST_ROUNDS_FOR_ONE  # a quick run waits for no quiet moment
    records, left_out = campaign.measure(cells, builds.find_program, least, most, rounds_for_one, asked.minutes and 60 * asked.minutes)
    if left_out and not records:
        say("no problem is complete; nothing was written")
        return EXIT_INTERRUPTED
    outcomes = [report.judge(row, compiler, records) for compiler, row in rows if all(cell in records for cell, _ in row.readings)]
    outcomes += verdicts.outcomes(records.values(), compilers)
    if left_out:
        notes.append("interrupted: not measured " + ", ".join(left_out))

    about = (machine.facts(compilers, ROOT), shlex.join(["bench/run.py", *words]), datetime.date.today().isoformat(), notes)
    print(report.markdown(outcomes, records, *about))
    if asked.json:
        keep(asked.json, outcomes, records, about)
    elif is_whole(asked) and not left_out:
        keep(unused(RESULTS / f"{about[2]}-{machine.name(about[0])}.json"), outcomes, records, about)
    if left_out:
        return EXIT_INTERRUPTED
    return 1 if any(record.failure for record in records.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
