#!/usr/bin/env python3
"""Draws what bench_grain_sweep --json kept: plot.py SWEEP.json PICTURE.svg"""

import argparse
import json
import sys

BAR = 1.05


def parse():
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0] + ".")
    parser.add_argument("sweep", type=argparse.FileType(encoding="utf-8"), help="the JSON")
    parser.add_argument("picture", help="where to draw: .svg, .png or .pdf")
    return parser.parse_args()


def body_text(ns):
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if ns >= 0.9 * size:
            return f"{ns / size:.0f} {unit}"
    return f"{ns:.0f} ns"


def draw_ratios_to_best(axes, counts, cells):
    """Medians with the intervals by which the bar is judged."""
    found = [cell["to_best"] for cell in cells]
    medians = [each["median"] for each in found]
    below = [each["median"] - each["low"] for each in found]
    above = [each["high"] - each["median"] for each in found]
    axes.errorbar(counts, medians, yerr=(below, above), fmt="o-", capsize=2)


def draw(sweep, pyplot):
    figure, (to_serial, to_best) = pyplot.subplots(1, 2, figsize=(11, 4.2), sharex=True)
    for body in sorted({cell["body_ns"] for cell in sweep["cells"]}):
        cells = [cell for cell in sweep["cells"] if cell["body_ns"] == body]
        counts = [cell["iterations"] for cell in cells]
        to_serial.plot(counts, [cell["measured"] / cell["serial"] for cell in cells], "o-", label=body_text(body))
        draw_ratios_to_best(to_best, counts, cells)
    to_serial.set_title("measured grain / plain loop")
    to_best.set_title("measured grain / best fixed grain")
    for axes in (to_serial, to_best):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("iterations")
        axes.axhline(BAR, color="black", linewidth=0.8, linestyle=":")
        axes.grid(alpha=0.3)
    to_serial.legend(title="body", fontsize=8)
    figure.suptitle(f"filch::parallel_for, {sweep['workers']} workers, medians")
    figure.tight_layout()
    return figure


def main():
    options = parse()
    try:
        import matplotlib
    except ImportError:
        print("plot.py: needs matplotlib: apt-get install python3-matplotlib, and run it with /usr/bin/python3", file=sys.stderr)
        return 2
    matplotlib.use("Agg")
    from matplotlib import pyplot
    try:
        sweep = json.load(options.sweep)
        figure = draw(sweep, pyplot)
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        print(f"plot.py: {options.sweep.name} is not what bench_grain_sweep --json writes: {error}", file=sys.stderr)
        return 2
    figure.savefig(options.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
