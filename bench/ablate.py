#!/usr/bin/env python3
"""Switches off each row of filch/policy/tuning.hpp in turn and prints what its benchmarks then cost.

A row stays only if one of its benchmarks gets worse without it. With --check nothing is measured: each
row must name benchmarks that exist. Exit code: 0 all is well, 1 a row shows nothing, 2 misuse.
"""

import argparse
import json
import os
import re
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

from harness.builds import ROOT, Builds, source_of
from harness.progress import say
from harness.sampling import ContenderFailed, run_once

TABLE = ROOT / "filch" / "policy" / "tuning.hpp"
COMPILER = "g++-12"
LEAST_RATIO = 1.05  # of the medians without and with the row: below it is noise on two shared processors
ROW = re.compile(r"((?:^ *///[^\n]*\n)+) *(\w+),$", re.M)
BENCH = re.compile(r"/// Bench: (\S+)((?: --\S+ \S+)*)(?: \((\w+)\))?$", re.M)


@dataclass(frozen=True)
class Bench:
    problem: str
    arguments: tuple
    metric: str

    def __str__(self):
        return " ".join([self.problem, *self.arguments]) + ("" if self.metric == "seconds" else f" ({self.metric})")


@dataclass(frozen=True)
class Row:
    name: str
    bit: int
    benches: tuple


def rows_of(text):
    """The rows of the table, in order: each with the benchmarks that its comment names."""
    body = text[text.index("enum class row"):]
    body = body[:body.index("};")]
    return [Row(name, bit, tuple(Bench(problem, tuple(arguments.split()), metric or "seconds")
                                 for problem, arguments, metric in BENCH.findall(comment)))
            for bit, (comment, name) in enumerate(ROW.findall(body))]


def misfits(rows):
    """What is wrong with the table, a line each."""
    for row in rows:
        if not row.benches:
            yield f"{row.name} names no benchmark: add a line `/// Bench: problem --option value`"
        for bench in row.benches:
            if not (source := source_of(bench.problem, "filch")).exists():
                yield f"{row.name}: there is no {source.relative_to(ROOT)}"


class Ablation(Builds):
    """Contenders of a library whose rows FILCH_ABLATE switches off."""

    def tree_of(self, compiler):
        return self.folder / "ablation"

    def program(self, problem):
        return self.tree_of(COMPILER) / "contenders" / f"bench_{problem}_filch"


def measure(program, bench, bit, rounds, workers):
    """(medians with and without the row, ratio of each round), the two by turns."""
    words = ["--workers", str(workers), *bench.arguments]
    pairs = []
    for number in range(rounds):
        pair = {}
        for off in (False, True) if number % 2 == 0 else (True, False):
            os.environ["FILCH_ABLATE"] = str(1 << bit if off else 0)
            try:
                sample = run_once(program, words)
            finally:
                del os.environ["FILCH_ABLATE"]
            if bench.metric not in sample.values:
                raise ContenderFailed(f"prints no {bench.metric}; it prints {', '.join(sample.values)}")
            pair[off] = sample.values[bench.metric]
        pairs.append(pair)
    return statistics.median(p[False] for p in pairs), statistics.median(p[True] for p in pairs), sorted(
        p[True] / p[False] for p in pairs)


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help="only these rows (default: all)")
    parser.add_argument("--check", action="store_true", help="measure nothing; say what is wrong with the table")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="runs with and without each row (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="default: %(default)s")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    parser.add_argument("--build", type=Path, default=ROOT / "build", metavar="FOLDER", help="for the build tree (default: build)")
    asked = parser.parse_args(words)
    if asked.rounds < 1 or asked.workers < 1:
        parser.error("--rounds and --workers take a number from 1 on")
    known = [row.name for row in rows_of(TABLE.read_text(encoding="utf-8"))]
    if unknown := [name for name in asked.rows if name not in known]:
        parser.error(f"no row {', '.join(unknown)}; there are {', '.join(known)}")
    return asked


def main(words):
    asked = parse(words)
    rows = rows_of(TABLE.read_text(encoding="utf-8"))
    if wrong := list(misfits(rows)):
        print("\n".join(wrong), file=sys.stderr)
        return 2
    if asked.check:
        return 0
    rows = [row for row in rows if not asked.rows or row.name in asked.rows]
    builds = Ablation(asked.build, sorted({bench.problem for row in rows for bench in row.benches}))
    say("building the library with switches")
    builds.build_cpp(COMPILER, os.cpu_count(), definitions=("FILCH_ABLATION",))
    print(f"{'row':22} {'benchmark':55} {'with':>10} {'without':>10} {'ratio':>6}  quartiles")
    kept, idle = [], []
    for row in rows:
        shows = False
        for bench in row.benches:
            try:
                on, off, ratios = measure(builds.program(bench.problem), bench, row.bit, asked.rounds, asked.workers)
            except ContenderFailed as failed:
                print(f"{row.name:22} {str(bench):55} failed: {failed}")
                continue
            low, middle, high = (ratios[int(share * (len(ratios) - 1))] for share in (0.25, 0.5, 0.75))
            shows = shows or (middle >= LEAST_RATIO and low > 1)
            print(f"{row.name:22} {str(bench):55} {on:10.4g} {off:10.4g} {middle:6.2f}  {low:.2f} to {high:.2f}", flush=True)
            kept.append({"row": row.name, "bench": str(bench), "with": on, "without": off, "ratios": ratios})
        if not shows:
            idle.append(row.name)
    if asked.json is not None:
        asked.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    if idle:
        print(f"without effect here: {', '.join(idle)}")
    return 1 if idle else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
