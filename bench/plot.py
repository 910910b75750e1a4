#!/usr/bin/env python3
"""Draws docs/pictures/speed.svg from a page of bench/results: a fork, small work, idleness.

Without --page it takes the newest run that has all three figures of filch, and of several from one
day the one with the most contenders. It measures nothing, and --check writes nothing.
"""

import argparse
import math
import sys
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from harness import summary
from harness.rows import fork_count
from harness.svg import line, text

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
PICTURE = ROOT / "docs" / "pictures" / "speed.svg"
NAMES = {"filch": "filch", "tbb": "oneTBB", "rayon": "Rayon", "omp": "OpenMP", "go": "Go"}
FIB, TREE = 27, "tree sum, 1,000 nodes"
IDLE = "idle: CPU over the 10 s after the last job"
WIDTH, ROW, MARGIN = 480, 22, 16
LEFT, RIGHT = 94, 388  # bars lie between them, and a figure stands behind its bar
TITLE = "What a fork, small work and idleness cost"
STYLE = """
text{font:15px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1c1e21;
stroke:#fdfdfc;stroke-width:3px;paint-order:stroke}
.title{font-size:17px;font-weight:600}.small{font-size:14px;fill:#5d6470}.mine{font-weight:600}
.ground{fill:#fdfdfc}.rule{stroke:#e2e3e6}.bar{fill:#8f96a1}.filch{fill:#c2255c}
.limit{fill:none;stroke:#8b929d;stroke-dasharray:4 3}
@media (prefers-color-scheme:dark){text{fill:#e6e7ea;stroke:#16181b}.small{fill:#a0a6b1}
.ground{fill:#16181b}.rule{stroke:#33373d}.bar{fill:#646b76}.filch{fill:#ff6b9d}}
"""


@dataclass(frozen=True)
class Bar:
    name: str
    value: float
    said: str
    kind: str = "bar"  # its class in STYLE
    settled: bool = True


@dataclass(frozen=True)
class Panel:
    title: str
    about: str
    bars: list
    logarithmic: bool

    @property
    def missing(self):
        """In words; empty if nobody is missing."""
        drawn = {bar.name for bar in self.bars}
        names = [name for name in NAMES.values() if name not in drawn]
        return f"Not measured: {', '.join(names)}." if names else ""

    def __str__(self):
        figures = "; ".join(f"{bar.name} {bar.said}" for bar in self.bars)
        return f"{self.title}. {self.about}: {figures}. {self.missing}".strip()


def two_digits(number):
    """Computed from figures of three digits, of which the third is noise."""
    return f"{number:.1f}" if 1 <= number < 9.95 else f"{float(f'{number:.2g}'):,g}"


def bar_of(peer, value, said, source):
    return Bar(NAMES[peer], value, said, "filch" if peer == "filch" else "bar", not source.mark)


def bars_of(times, unit, units_a_second):
    drawn = {peer: times[peer].number * units_a_second for peer in NAMES if peer in times}
    return [bar_of(peer, each, f"{two_digits(each)} {unit}", times[peer])
            for peer, each in drawn.items()]


def fork_panel(run):
    """Reckoned as `cost of an unstolen fork` in rows.py, at the size that all contenders have."""
    times = run.grid.get((f"fib({FIB})", 1), {})
    if "serial" not in times:
        return None
    forks, serial = fork_count(FIB), times["serial"]
    by_fork = {peer: replace(each, number=(each.number - serial.number) / forks,
                             mark=each.mark or serial.mark) for peer, each in times.items()}
    bars = bars_of(by_fork, "ns", 1e9)
    return Panel("Cost of a fork", f"What each fork adds to fib({FIB}), 1 worker", bars, True)


def small_panel(run):
    times = run.grid.get((TREE, 2), {})
    bars = bars_of(times, "us", 1e6)
    if serial := times.get("serial"):
        us = serial.number * 1e6
        said = f"{two_digits(us)} us (plain recursion)"
        bars.append(Bar("serial", us, said, settled=not serial.mark))
    return Panel("Small work", "Sum of a tree of 1,000 nodes, 2 workers", bars, True)


def idle_row(peer):
    return IDLE if peer == "filch" else f"{peer}: {IDLE}"


def idle_panel(run):
    rows = {peer: idle_row(peer) for peer in NAMES}
    found = {peer: run.figures[row] for peer, row in rows.items() if row in run.figures}
    bars = [bar_of(peer, each.number, str(each), each) for peer, each in found.items()]
    if limit := run.limits.get(IDLE):
        bars.append(Bar("our limit", limit.number, str(limit), "limit"))
    about = "Processor time a second, over 10 s without a job, 2 workers"
    return Panel("CPU of an idle pool", about, bars, False)


def panels(run):
    """The three, or None if one of them lacks filch, which comes first."""
    drawn = [fork_panel(run), small_panel(run), idle_panel(run)]
    complete = all(panel and panel.bars and panel.bars[0].kind == "filch" for panel in drawn)
    return drawn if complete else None


def newest(runs):
    usable = [run for run in runs if panels(run)]
    if not usable:
        raise SystemExit("plot.py: no page has filch's fib, tree_sum and idle: see bench/run.py")
    return max(usable, key=lambda run: (run.date, bar_count(run), run.page))


def bar_count(run):
    return sum(len(panel.bars) for panel in panels(run))


def scale_of(panel):
    """(value -> x, the decades that get a tick)"""
    values = [bar.value for bar in panel.bars]
    if not panel.logarithmic:
        return lambda value: LEFT + (RIGHT - LEFT) * value / (max(values) or 1), []
    first, last = (math.floor(math.log10(each)) for each in (min(values) / 1.1, max(values)))
    decades = [10.0**exponent for exponent in range(first, last + 1)]
    length = (RIGHT - LEFT) / math.log(max(values) / decades[0])
    return lambda value: LEFT + length * math.log(value / decades[0]), decades


def draw_bar(bar, x, y):
    css, end = "mine" if bar.kind == "filch" else "", x(bar.value)
    return [text(MARGIN, y + 15.5, bar.name, css=css),
            f'<rect x="{LEFT}" y="{y + 3}" width="{max(end - LEFT, 2):.1f}" height="{ROW - 6}" '
            f'rx="2" class="{bar.kind}"/>',
            text(end + 6, y + 15.5, bar.said, css=css)]


def draw_panel(panel, top):
    """(parts, where it ends)"""
    x, decades = scale_of(panel)
    parts = [text(MARGIN, top + 17, panel.title, css="title"),
             text(MARGIN, top + 37, panel.about, css="small")]
    top += 44
    bottom = top + ROW * len(panel.bars)
    parts += [line(x(decade), top, x(decade), bottom, "rule") for decade in decades]
    for place, bar in enumerate(panel.bars):
        parts += draw_bar(bar, x, top + ROW * place)
    if decades:
        parts.append(text(WIDTH - MARGIN, top - 7, "log scale", "end", "small"))
        parts += [text(x(each), bottom + 14, f"{each:,g}", "middle", "small") for each in decades]
        bottom += 18
    if panel.missing:
        parts.append(text(MARGIN, bottom + 15, panel.missing, css="small"))
        bottom += 18
    return parts, bottom + 16


def source_lines(run, drawn):
    bars = [bar for panel in drawn for bar in panel.bars if bar.kind != "limit"]
    hints = sum(not bar.settled for bar in bars)
    yield f"From {run.page} of {run.date}, commit {run.commit}:"
    yield f"{run.cores} cores of {run.processor}, {run.compiler}."
    if hints:
        yield f"{hints} of {len(bars)} figures are hints: disturbed, or not settled within 2 %."


def draw(run):
    drawn, y = panels(run), 14
    parts = [text(WIDTH - MARGIN, y + 17, "shorter is better", "end", "small")]
    for panel in drawn:
        more, y = draw_panel(panel, y)
        parts += more
    sources = list(source_lines(run, drawn))
    parts += [text(MARGIN, y + 8 + 18 * i, said, css="small") for i, said in enumerate(sources)]
    height = y + 18 * len(sources) + 6
    title = f"{TITLE}: {', '.join(NAMES.values())}"
    about = " ".join(map(str, [*drawn, *sources]))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-labelledby="title about">',
        f'<title id="title">{escape(title)}</title>', f'<desc id="about">{escape(about)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="6" class="ground"/>',
        *parts, "</svg>\n"])


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", type=Path, metavar="FILE",
                        help="a page of bench/results (default: the newest that has it all)")
    parser.add_argument("--picture", type=Path, metavar="FILE", default=PICTURE,
                        help="where to draw (default: docs/pictures/speed.svg)")
    parser.add_argument("--check", action="store_true",
                        help="write nothing; end in 1 if the picture is not what the page says")
    return parser.parse_args(words)


def main(words):
    asked = parse(words)
    pages = [asked.page] if asked.page else sorted(RESULTS.glob("*-cores.md"))
    run = newest([run for page in pages for run in summary.read(page)])
    drawing = draw(run)
    if not asked.check:
        asked.picture.write_text(drawing, encoding="utf-8")
        return 0
    if asked.picture.exists() and asked.picture.read_text(encoding="utf-8") == drawing:
        return 0
    print(f"plot.py: {asked.picture} is not what {run.page} says: run bench/plot.py, commit it",
          file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
