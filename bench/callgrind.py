#!/usr/bin/env python3
"""Counts the instructions of a fork nobody steals: fib at one worker under valgrind, the difference of two sizes.

Unlike nanoseconds these hardly depend on the machine or on what else it does.
"""

import argparse
import datetime
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from harness import machine
from harness.builds import ROOT, Builds
from harness.cells import Cell
from harness.rows import fork_count

SMALL, LARGE = 20, 24
PEERS = ("serial", "filch", "tbb", "rayon")
RESULTS = ROOT / "bench" / "results"


def collected(valgrind_says):
    """The number of instructions in what callgrind prints at its end."""
    found = re.search(r"Collected\s*:\s*(\d+)", valgrind_says)
    if found is None:
        raise SystemExit(f"valgrind counted nothing:\n{valgrind_says}")
    return int(found.group(1))


def count(program, size):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "--workers", "1", "--size", str(size)]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{program} --size {size} failed under valgrind:\n{done.stderr}")
    return collected(done.stderr)


def per_fork(program):
    """Instructions a fork together with the call that it replaces; what the program does once cancels out."""
    return (count(program, LARGE) - count(program, SMALL)) / (fork_count(LARGE) - fork_count(SMALL))


def measure(builds, compiler):
    """Instructions a fork for each peer that there is: {peer: number}."""
    found = {}
    for peer in PEERS:
        try:
            program = builds.find_program(Cell("fib", peer, "rustc" if peer == "rayon" else compiler))
        except LookupError as missing:
            print(f"{peer}, {compiler}: skipped, {missing.args[0]}", file=sys.stderr)
            continue
        found[peer] = per_fork(program)
    return found


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compilers", default="g++-12,clang++-19", help="separated by commas (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write here instead of bench/results")
    parser.add_argument("--jobs", type=int, default=2, help="parallel compilations (default: %(default)s)")
    parser.add_argument("--build", type=Path, default=ROOT / "build", metavar="FOLDER", help="for build trees (default: build)")
    asked = parser.parse_args(words)
    if shutil.which("valgrind") is None:
        raise SystemExit("there is no valgrind: bench/setup installs it")

    compilers, builds = asked.compilers.split(","), Builds(asked.build)
    try:
        builds.build_rust()
    except LookupError:
        pass  # `measure` names what is missing
    print(f"Instructions a fork, fib({SMALL}) to fib({LARGE}), 1 worker\n\n| compiler | peer | total | above serial |\n|---|---|---|---|")
    counts = {}
    for compiler in compilers:
        try:
            builds.build_cpp(compiler, asked.jobs)
        except LookupError as missing:
            print(f"skipped: {missing.args[0]}", file=sys.stderr)
            continue
        counts[compiler] = measure(builds, compiler)
        for peer, number in counts[compiler].items():
            print(f"| {compiler} | {peer} | {number:.1f} | {number - counts[compiler]['serial']:.1f} |", flush=True)

    facts = machine.facts(list(counts), ROOT)
    date = datetime.date.today().isoformat()
    path = asked.json or RESULTS / f"{date}-{machine.name(facts)}-instructions.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"date": date, "machine": facts, "instructions_a_fork": counts}, indent=1) + "\n", encoding="utf-8")
    print(f"\nkept in {path}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
