#!/usr/bin/env python3
"""Holds what `filch analyze` predicts from one serial run against what the same workload takes on all workers.

    bench/predict.py [--program build/bench/tools/cli/filch] [--rounds 5] [--keep bench/results/DATE-MACHINE] [WORKLOAD...]

Prints a row for each workload and fails where a prediction is off by more than the bar. `--keep` writes predict.json and predict.md
there, also where a bar is missed: a figure that is shown elsewhere is one of these.
"""
import argparse
import datetime
import json
import os
import platform
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BAR_PERCENT = 15
HEADING = ("| workload | parallelism | 1 worker, ms | all, ms | predicted, ms | off | from the analysis alone | its work | bar |\n"
           "|---|---|---|---|---|---|---|---|---|")

# Not uts: watched it hands on the rest at every child, as if each were stolen, and so has another shape than on two workers (filch/span/README.md).
# Long enough that neither a wake counts nor a millisecond in which a worker is kept from its processor.
WORKLOADS = {
    "fib": ["-n", "37"],
    "nqueens": ["-n", "12"],
    "duplicates": ["/usr/include"],
    "integrate": ["--epsilon", "1e-7"],
    "quicksort": ["--count", "2000000"],
    "mergesort": ["--count", "2000000"],
    "matmul": ["-n", "1024"],
    "fft": ["--log2-size", "21"],
    "mandelbrot": ["--width", "800", "--height", "600"],
    "sum": ["--count", "3000000"],
}


def off_percent(predicted: float, measured: float) -> float:
    return 100 * (predicted / measured - 1)


def analyze(program: str, workload: str, rounds: int) -> dict:
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


def keep(folder: str, rounds: int, rows: list) -> None:
    """Writes the rows, and on which machine and by which command they came to be."""
    os.makedirs(folder, exist_ok=True)
    command = f"bench/predict.py --rounds {rounds}"
    about = {"date": datetime.date.today().isoformat(), "processor": processor(), "kernel": platform.release(), "command": command}
    with open(os.path.join(folder, "predict.json"), "w", encoding="utf-8") as out:
        json.dump({**about, "bar_percent": BAR_PERCENT, "rows": rows}, out, indent=2)
        out.write("\n")
    with open(os.path.join(folder, "predict.md"), "w", encoding="utf-8") as out:
        out.write(f"# Predicted and measured times\n\n{about['processor']}, kernel {about['kernel']}, {about['date']}. `{command}`: medians of {rounds} runs each; "
                  f"the bar is {BAR_PERCENT} %.\n\n{HEADING}\n" + "".join(line_of(row) + "\n" for row in rows))


def processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as told:
        names = [line.split(":", 1)[1].strip() for line in told if line.startswith("model name")]
    return f"{names[0]}, {len(names)} cores" if names else platform.machine()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build/bench/tools/cli/filch"))
    parser.add_argument("--rounds", type=int, default=5, help="runs on one and on all workers, in turns; their medians count")
    parser.add_argument("--keep", metavar="FOLDER", help="also keep the rows there, as predict.json and predict.md")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=", ".join(WORKLOADS))
    given = parser.parse_args()
    unknown = [name for name in given.workloads if name not in WORKLOADS]
    if unknown:
        parser.error(f"no such workload: {', '.join(unknown)}; there are {', '.join(WORKLOADS)}")
    if not os.access(given.program, os.X_OK):
        sys.exit(f"predict.py: {given.program} is not there: cmake --preset bench && cmake --build build/bench --target filch_cli")
    print(HEADING)
    rows = []
    for name in given.workloads or WORKLOADS:
        rows.append(row_of(analyze(given.program, name, given.rounds)))
        print(line_of(rows[-1]), flush=True)
    if given.keep:
        keep(given.keep, given.rounds, rows)
    return 0 if all(abs(row["off_percent"]) <= BAR_PERCENT for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
