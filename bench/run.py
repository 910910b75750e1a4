#!/usr/bin/env python3
"""Builds the contenders, measures them in turn and prints the table of figures with their bars.

A run of everything is also kept in bench/results; a partial or quick one only where --json says.
"""

import argparse
import datetime
import json
import os
import shlex
import sys
from pathlib import Path

from harness import machine, report, sampling
from harness.builds import ROOT, Builds
from harness.rows import Table

RESULTS = ROOT / "bench" / "results"


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, few samples: shows that it works, proves nothing")
    parser.add_argument("--problem", action="append", metavar="NAME", help="only the rows of this problem; may be repeated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples here, and the table beside it as .md")
    parser.add_argument("--compilers", default="g++-12,clang++-19", help="separated by commas (default: %(default)s)")
    parser.add_argument("--samples", type=int, metavar="N", help="undisturbed samples of each cell (default: 5, quick: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="parallel compilations (default: %(default)s)")
    parser.add_argument("--build", type=Path, default=ROOT / "build", metavar="FOLDER", help="for build trees (default: build)")
    return parser.parse_args(words)


def say(message):
    print(message, file=sys.stderr, flush=True)


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
    try:
        say("building with cargo")
        builds.build_rust()
    except LookupError as missing:
        notes.append(str(missing.args[0]))
    return present, notes


def choose_rows(compilers, quick, problems):
    rows = [(compiler, row) for compiler in compilers for row in Table(compiler, quick).rows]
    known = sorted({row.problem for _, row in rows})
    for problem in problems or ():
        if problem not in known:
            raise SystemExit(f"no rows for a problem '{problem}': there are {', '.join(known)}")
    return [(compiler, row) for compiler, row in rows if not problems or row.problem in problems]


def measure(rows, samples, find_program):
    """Measures problem by problem, so that what is compared was measured within the same minutes."""
    records = {}
    for problem in dict.fromkeys(row.problem for _, row in rows):
        cells = dict.fromkeys(cell for _, row in rows if row.problem == problem for cell, _ in row.readings)
        say(f"{problem}: {len(cells)} cells")
        records.update((record.cell, record) for record in sampling.measure(cells, find_program, samples, say))
    return records


def keep(path, outcomes, records, about):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report.as_json(outcomes, records, *about), indent=1) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(report.markdown(outcomes, *about), encoding="utf-8")
    say(f"kept in {path} and {path.with_suffix('.md').name}")


def main(words):
    asked = parse(words)
    builds = Builds(asked.build)
    compilers, notes = build(builds, asked.compilers.split(","), asked.jobs)
    if not compilers:
        raise SystemExit("nothing to measure: " + "; ".join(notes))
    rows = choose_rows(compilers, asked.quick, asked.problem)
    records = measure(rows, asked.samples or (1 if asked.quick else 5), builds.find_program)
    outcomes = [report.judge(row, compiler, records) for compiler, row in rows]

    about = (machine.facts(compilers, ROOT), shlex.join(["bench/run.py", *words]), datetime.date.today().isoformat(), notes)
    print(report.markdown(outcomes, *about))
    if asked.json:
        keep(asked.json, outcomes, records, about)
    elif not asked.quick and not asked.problem:
        keep(RESULTS / f"{about[2]}-{machine.name(about[0])}.json", outcomes, records, about)
    return 1 if any(record.failure for record in records.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
