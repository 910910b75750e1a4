"""What a report says in short: rows that hold one peer against filch as one line for each thing measured, and losses by their reason."""

import re
from dataclasses import dataclass

AGAINST = re.compile(r"(?P<what>.+): (?P<peer>[^:]+) against filch, workers: (?P<workers>\d+)")


@dataclass(frozen=True)
class Line:
    """A row of the report, in words."""
    what: str
    bar: str  # empty if there is none
    compiler: str
    figure: str  # with its unit and its mark; empty if there is none
    is_lost: bool = False
    reason: str = ""  # of a loss; may be unknown

    @property
    def match(self):
        """Of a row that holds a peer against filch."""
        return AGAINST.fullmatch(self.what)


def times(line):
    """1.26 x~ -> 1.26~"""
    return line.figure.replace(" x", "")


def beside_peers(lines, compilers):
    """A table of how many times as long each peer takes, in bold one that beats filch; empty if no peer was measured."""
    cells = {}
    for line in lines:
        if (found := line.match) and line.figure:
            peer = f"**{found['peer']}**" if line.is_lost else found["peer"]
            column = line.compiler, int(found["workers"])
            cells.setdefault((found["what"], line.bar), {}).setdefault(column, []).append(f"{peer} {times(line)}")
    columns = sorted({column for row in cells.values() for column in row}, key=lambda column: (compilers.index(column[0]), column[1]))
    heads = [f"workers: {workers}" + (f", {compiler}" if len(compilers) > 1 else "") for compiler, workers in columns]
    rows = [[what, bar, *(", ".join(row.get(column, [])) for column in columns)] for (what, bar), row in cells.items()]
    return table(["beside", "bar", *heads], rows) if rows else ""


def losses(lines):
    """A list: what has one reason stands together."""
    groups = {}
    for line in lines:
        if line.is_lost:
            found = line.match
            what = found["what"] if found else line.what
            said = f"{found['peer']} {times(line)} ({found['workers']})" if found else line.figure
            groups.setdefault((line.compiler, line.reason or what), {}).setdefault(what, []).append(said)
    return "\n".join(f"- {'; '.join(f'{what}: ' + ', '.join(said) for what, said in group.items())}, {compiler}"
                     + (f". {reason}" if reason not in group else "") for (compiler, reason), group in groups.items())


def table(heads, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---"] * len(heads), *rows])
