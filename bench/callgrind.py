#!/usr/bin/env python3
"""Counts the instructions of a fork that is not stolen: fib at one worker under valgrind, the difference of two sizes.

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
from harness.languages import TOOL_OF
from harness.rows import fork_count

SMALL, LARGE = 20, 24
PEERS = ("serial", "filch", "tbb", "rayon")
RESULTS = ROOT / "bench" / "results"
RECORDED = ROOT / "bench" / "instructions.json"
ALLOWED = 0.02  # above what is recorded


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


def judge_count(found, recorded):
    """(whether the count may stand, what to say of it)."""
    if found > recorded * (1 + ALLOWED):
        return False, (f"{found:.2f} instructions a fork, recorded are {recorded:.2f}: more than {ALLOWED:.0%} above.\n"
                       f"Make it cheaper, or change the figure and its reason in {RECORDED.name}.")
    lower = f"; {RECORDED.name} may be lowered" if found < recorded * (1 - ALLOWED) else ""
    return True, f"{found:.2f} instructions a fork, recorded are {recorded:.2f}{lower}"


def check(program, compiler):
    """Holds one program against the recorded figure of its compiler; the exit status says whether it may stand."""
    holds, said = judge_count(per_fork(program), json.loads(RECORDED.read_text(encoding="utf-8"))[compiler]["instructions_a_fork"])
    print(said)
    return 0 if holds else 1


def measure(builds, compiler):
    """Instructions a fork for each peer that there is: {peer: number}."""
    found = {}
    for peer in PEERS:
        try:
            program = builds.find_program(Cell("fib", peer, TOOL_OF.get(peer, compiler)))
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
    parser.add_argument("--check", nargs=2, metavar=("PROGRAM", "COMPILER"), help="hold this program against the recorded figure, and nothing else")
    asked = parser.parse_args(words)
    if shutil.which("valgrind") is None:
        raise SystemExit("there is no valgrind: bench/setup installs it")
    if asked.check:
        return check(*asked.check)

    compilers, builds = asked.compilers.split(","), Builds(asked.build)
    builds.build_others()  # `measure` names what is missing
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
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
