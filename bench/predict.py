#!/usr/bin/env python3
"""Holds what `filch analyze` predicts from one serial run against what the same workload takes on all workers.

    bench/predict.py [--program build/bench/tools/cli/filch] [--rounds 5] [--json predict.json] [WORKLOAD...]

Prints a row for each workload and fails where a prediction is off by more than the bar.
"""
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BAR_PERCENT = 15

# Not uts: watched it hands on the rest at every child, as if each were stolen, and so has another shape than on two workers (filch/span/README.md).
# Long enough that a wake does not count, short enough that ten rounds are a minute.
WORKLOADS = {
    "fib": ["-n", "32"],
    "nqueens": ["-n", "11"],
    "duplicates": ["/usr/include"],
    "integrate": ["--epsilon", "1e-7"],
    "quicksort": ["--count", "2000000"],
    "mergesort": ["--count", "2000000"],
    "matmul": ["-n", "512"],
    "fft": ["--log2-size", "19"],
    "mandelbrot": ["--width", "800", "--height", "600"],
    "sum": ["--count", "300000"],
}


def off_percent(predicted: float, measured: float) -> float:
    return 100 * (predicted / measured - 1)


def analyse(program: str, workload: str, rounds: int) -> dict:
    """The report of one workload, with what was measured on one worker and on all."""
    command = [program, "analyze", workload, *WORKLOADS[workload], "--measure", str(rounds), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"predict.py: {' '.join(command)} ended with status {done.returncode}")
    return json.loads(done.stdout)


def row_of(report: dict) -> dict:
    """What the table says of a report. `off`: the prediction that starts from the time of one worker; `alone`: the one that does not."""
    one, many = report["measured"][0], report["measured"][-1]
    return {
        "workload": report["workload"],
        "workers": many["workers"],
        "parallelism": report["parallelism"],
        "one_seconds": one["seconds"],
        "measured_seconds": many["seconds"],
        "predicted_seconds": many["scaled_seconds"],
        "off_percent": off_percent(many["scaled_seconds"], many["seconds"]),
        "alone_off_percent": off_percent(many["predicted_seconds"], many["seconds"]),
        "work_off_percent": off_percent(report["work_ns"] * 1e-9, one["seconds"]),
    }


def line_of(row: dict) -> str:
    verdict = "met" if abs(row["off_percent"]) <= BAR_PERCENT else "MISSED"
    return (f"| {row['workload']} | {row['parallelism']:.3g} | {1000 * row['one_seconds']:.1f} | {1000 * row['measured_seconds']:.1f} "
            f"| {1000 * row['predicted_seconds']:.1f} | {row['off_percent']:+.1f} % | {row['alone_off_percent']:+.1f} % "
            f"| {row['work_off_percent']:+.1f} % | {verdict} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build/bench/tools/cli/filch"))
    parser.add_argument("--rounds", type=int, default=5, help="runs on one and on all workers, in turns; their medians count")
    parser.add_argument("--json", help="also write the rows there")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=", ".join(WORKLOADS))
    given = parser.parse_args()
    unknown = [name for name in given.workloads if name not in WORKLOADS]
    if unknown:
        parser.error(f"no such workload: {', '.join(unknown)}; there are {', '.join(WORKLOADS)}")
    if not os.access(given.program, os.X_OK):
        sys.exit(f"predict.py: {given.program} is not there: cmake --preset bench && cmake --build build/bench --target filch_cli")
    print("| workload | parallelism | 1 worker, ms | all, ms | predicted, ms | off | from the analysis alone | its work | bar |")
    print("|---|---|---|---|---|---|---|---|---|")
    rows = []
    for name in given.workloads or WORKLOADS:
        rows.append(row_of(analyse(given.program, name, given.rounds)))
        print(line_of(rows[-1]), flush=True)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as out:
            json.dump({"bar_percent": BAR_PERCENT, "rows": rows}, out, indent=2)
    return 0 if all(abs(row["off_percent"]) <= BAR_PERCENT for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
