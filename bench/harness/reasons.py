"""Why filch is behind where it is, out of losses.toml: for a line of the grid as for a row of the table of bars."""

import tomllib
from pathlib import Path

LOSSES = Path(__file__).resolve().parents[1] / "losses.toml"
KEYS = ("problem", "peer", "case")


def load():
    return tomllib.loads(LOSSES.read_text(encoding="utf-8")).get("loss", [])


def fits(entry, place):
    """`place`: (problem, peer, case) of what is lost."""
    return all(entry.get(key) in (None, value) for key, value in zip(KEYS, place))


def of(place, reasons):
    """The most particular entry that fits; None if there is none."""
    return max((entry for entry in reasons if fits(entry, place)), key=lambda entry: sum(key in entry for key in KEYS), default=None)


def place_of_row(row):
    """Of a row of bars: the problem, the peer that filch is compared with (None if there is none), and the case."""
    cells = [cell for cell, _ in row.readings]
    return row.problem, next((cell.peer for cell in cells if cell.peer != "filch"), None), cells[0].case if cells else None
