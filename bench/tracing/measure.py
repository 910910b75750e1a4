#!/usr/bin/env python3
"""Measures what recording costs: the program's own workloads with FILCH_TRACE and without, in turn, on one machine at one time.

    bench/tracing/measure.py [--program build/release/tools/cli/filch] [--pairs 15] [--workers 2] [--level steal|jobs] [--json]

Prints for each workload what was lost of the recording, in how much of the work jobs are sampled,
the median of each side, the median of the ratios of neighbouring runs (which a machine that slows down
for a while does not move), and the size of the last file for each event in it. At steal level and at job level that ratio has a bar,
and nothing may be lost: exit code 1 where it is not so.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

# At steal level a fork that is not stolen leaves no record, so recording costs it nothing. At job level most of them are in folds.
MOST = {"steal": 1.01, "jobs": 1.05}
WORKLOADS = {"fib(39)": ["fib", "-n", "39"], "nqueens(14)": ["nqueens", "-n", "14"], "mergesort(10^7)": ["mergesort"], "uts": ["uts"]}


def seconds(program, arguments, workers, trace):
    environment = {key: value for key, value in os.environ.items() if key != "FILCH_TRACE"}
    if trace:
        environment["FILCH_TRACE"] = trace
    command = [program, "run", *arguments, "--workers", str(workers), "--repeat", "1", "--json"]
    report = json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    return report["seconds"]["min"]


def event_count(program, file):
    report = subprocess.run([program, "export", file, "--csv"], check=True, capture_output=True, text=True).stdout
    return report.count("\n") - 1


def trust(program, file):
    report = subprocess.run([program, "report", file, "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(report)["trust"]


def measure(program, name, level, pairs, workers, progress):
    off, on = [], []
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "out.filch")
        for pair in range(pairs):
            if progress:
                print(f"\r{name}: pair {pair + 1} of {pairs}", end="", file=sys.stderr, flush=True)
            # In turn, and each side first as often as the other.
            asked = f"{file}:{level}"
            for trace in ([None, asked] if pair % 2 == 0 else [asked, None]):
                (on if trace else off).append(seconds(program, WORKLOADS[name], workers, trace))
        size, events, known = os.path.getsize(file), event_count(program, file), trust(program, file)
    if progress:
        print("\r\033[K", end="", file=sys.stderr)
    ratios = [b / a for a, b in zip(off, on)]
    return {
        "workload": name,
        "level": level,
        "off_seconds": statistics.median(off),
        "on_seconds": statistics.median(on),
        "ratio": statistics.median(ratios),
        "ratio_of_best": min(on) / min(off),
        "events": events,
        "bytes": size,
        "lost": known["lost_records"],
        "sampled_work": known["sampled_work_share"],
    }


def text_of(row, bar):
    verdict = f" (at most {bar}: {'met' if row['ratio'] <= bar else 'missed'})"
    return (f"{row['workload']}: off {row['off_seconds']:.3f} s, on {row['on_seconds']:.3f} s, ratio {row['ratio']:.4f}{verdict}, of the best {row['ratio_of_best']:.4f}; "
            f"{row['events']} events, {row['bytes'] / max(row['events'], 1):.1f} bytes each, "
            f"{row['lost']} lost, {row['sampled_work']:.0%} of the work sampled")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/tools/cli/filch")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--level", choices=["steal", "jobs"], default="steal")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [measure(options.program, name, options.level, options.pairs, options.workers, sys.stderr.isatty()) for name in WORKLOADS]
    bar = MOST[options.level]
    print(json.dumps(rows, indent=2) if options.json else "\n".join(text_of(row, bar) for row in rows))
    return 1 if any(row["ratio"] > bar or row["lost"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
