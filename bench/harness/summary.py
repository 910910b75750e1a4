"""Reads the Markdown of a run back: the pages of bench/results, of which the samples are not kept.

What `report.markdown` writes is read here, and a test holds the two together.
"""

import re
from dataclasses import dataclass, field

NUMBER = r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?"
FIGURE = re.compile(rf"({NUMBER})(?: ([^~*(,]*[^~*(, ]))?([~*]?)(?= \(|, \*\*|$)")
RATIO = re.compile(rf"({NUMBER})([~*]?)")
HEAD = re.compile(r"^# Figures of (\d{4}-\d\d-\d\d)$", re.MULTILINE)
MADE = re.compile(r" on (\d+) cores of (.+?), .*; commit ([0-9a-f]+\+?|unknown)\. ")
GRID = re.compile(r"## The grid, C\+\+ by (\S+): ")
WORKERS = re.compile(r"(\d+) workers?:")


@dataclass(frozen=True)
class Figure:
    number: float
    unit: str = ""
    mark: str = ""  # "~": its median had not settled; "*": no quiet moment was found

    def __str__(self):
        return f"{self.number:,.15g} {self.unit}".rstrip()


@dataclass
class Summary:
    """One run. A page may hold several."""

    page: str
    date: str
    cores: int
    processor: str
    commit: str
    compiler: str = ""  # the first, of which the figures are
    figures: dict = field(default_factory=dict)  # row -> Figure
    limits: dict = field(default_factory=dict)  # row -> Figure, for rows with a bar
    grid: dict = field(default_factory=dict)  # (problem, workers) -> {peer: Figure in seconds}


def figure(text):
    """The figure of a cell like `3.62 ns~, **missed**`; None if it says why there is none."""
    found = FIGURE.match(text)
    return found and Figure(number(found[1]), found[2] or "", found[3])


def number(text):
    return float(text.replace(",", ""))


def split(line):
    return [cell.strip() for cell in line.strip().strip("|").split(" |")]


def read_row(summary, heads, cells):
    """A row of one of the two tables of figures: what, bar if there is one, a cell a compiler."""
    what, row = cells[0], dict(zip(heads, cells))
    summary.compiler = summary.compiler or next(head for head in heads[1:] if head != "bar")
    if found := figure(row[summary.compiler]):
        summary.figures[what] = found
    if "bar" in row and (limit := figure(row["bar"].partition("= ")[2])):
        summary.limits[what] = limit


def read_line(summary, workers, heads, cells):
    """A line of the grid: the best peer's seconds, then everybody's time over them."""
    best = number(cells[1])
    times = summary.grid.setdefault((cells[0], workers), {})
    for peer, text in zip(heads[2:], cells[2:]):
        plain = text[2:-2] if text.startswith("**") else text
        if found := RATIO.fullmatch(plain):
            times[peer] = Figure(best * number(found[1]), "s", found[2])


def read_section(page, date, text):
    made = MADE.search(text)
    if made is None:
        raise ValueError(f"{page}: the section of {date} does not say on what it was made")
    summary = Summary(page, date, int(made[1]), made[2], made[3])
    heads, grid_of, workers = None, None, None
    for line in text.splitlines():
        if not line.startswith("|"):
            heads = None
            if said := GRID.match(line):
                grid_of = said[1]
            elif said := WORKERS.fullmatch(line):
                workers = int(said[1])
        elif heads is None:
            heads = split(line)
        elif set(line) <= set("|- "):
            continue
        elif heads[0] == "what":
            read_row(summary, heads, split(line))
        elif heads[0] == "problem" and grid_of == summary.compiler:
            read_line(summary, workers, heads, split(line))
    return summary


def read(path):
    """The runs of a page, in its order."""
    parts = HEAD.split(path.read_text(encoding="utf-8"))[1:]
    return [read_section(path.name, date, body) for date, body in zip(parts[::2], parts[1::2])]
