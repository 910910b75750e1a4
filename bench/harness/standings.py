"""Which peer stands where in the grid: medians, ratios to the best, geometric means, losses. Numbers only, no text."""

import math
from dataclasses import dataclass

from harness.grid import known_places, place_of

ALLOWED = 1.03  # a ratio to the best peer that is not called a loss


@dataclass(frozen=True)
class Figure:
    seconds: float
    kib: float | None
    joules: float | None
    disturbed: bool
    settled: bool | None = None
    steals: float | None = None
    idle_share: float | None = None

    @property
    def mark(self):
        return "*" if self.disturbed else "~" if self.settled is False else ""


@dataclass(frozen=True)
class Loss:
    entry: object
    peer: str
    workers: int
    ratio: float  # of filch's time to the peer's


def figure_of(record):
    """None if there is nothing to show: skipped, failed, or without a time."""
    if record.failure or record.skipped or not record.samples or "seconds" not in record.samples[0].values:
        return None

    def median(metric):
        return record.median(metric) if all(metric in sample.values for sample in record.samples) else None

    return Figure(median("seconds"), median("peak_rss_kib"), median("joules"), record.disturbed, record.settled, median("steals"), median("idle_share"))


class Standings:
    """The grid of one compiler on one machine: {entry: {(peer, workers): Figure}}."""

    def __init__(self, records, compiler):
        self.compiler = compiler
        places, self.lines = known_places(), {}
        cplusplus = {record.cell.compiler for record in records if record.cell.peer == "filch"}
        for record in records:
            entry, cell = places.get(place_of(record.cell)), record.cell
            if entry is None or cell.peer not in entry.peers or (cell.compiler in cplusplus and cell.compiler != compiler):
                continue
            figure = figure_of(record)
            if figure is not None:
                self.lines.setdefault(entry, {})[cell.peer, cell.workers] = figure
        order = list(places.values())
        self.lines = dict(sorted(self.lines.items(), key=lambda line: order.index(line[0])))

    @property
    def peers(self):
        """filch first, then by how many lines they stand in."""
        seen = [peer for line in self.lines.values() for peer in {peer for peer, _ in line}]
        return sorted(set(seen) - {"serial"}, key=lambda peer: (peer != "filch", -seen.count(peer), peer))

    @property
    def worker_counts(self):
        return sorted({workers for line in self.lines.values() for peer, workers in line if peer != "serial"})

    def best(self, entry, workers):
        """The least time of any peer or filch; the serial program is not in the race."""
        times = [figure.seconds for (peer, count), figure in self.lines[entry].items() if peer != "serial" and count == workers]
        return min(times, default=None)

    def ratio(self, entry, peer, workers):
        figure = self.lines[entry].get((peer, 1 if peer == "serial" else workers))
        best = self.best(entry, workers)
        return figure.seconds / best if figure and best else None

    def mean_against_filch(self, peer, workers):
        """(geometric mean of the peer's time over filch's, number of problems): of each fork-join problem the largest shared size."""
        shared = {}
        for entry, line in self.lines.items():
            if entry.fork_join and (peer, workers) in line and ("filch", workers) in line:
                name = (entry.problem, entry.case)
                shared.setdefault(name, line[peer, workers].seconds / line["filch", workers].seconds)  # the largest comes first
        if not shared:
            return None, 0
        return math.exp(sum(map(math.log, shared.values())) / len(shared)), len(shared)

    def best_peer(self, entry, workers):
        """(seconds, peer) of the fastest that is neither filch nor the serial program; None if there is none."""
        others = [(figure.seconds, peer) for (peer, count), figure in self.lines[entry].items() if peer not in ("filch", "serial") and count == workers]
        return min(others, default=None)

    def losses(self):
        found = []
        for entry, line in self.lines.items():
            for (peer, workers), figure in line.items():
                mine = line.get(("filch", workers))
                if peer not in ("filch", "serial") and mine and mine.seconds > ALLOWED * figure.seconds:
                    found.append(Loss(entry, peer, workers, mine.seconds / figure.seconds))
        return found

    def speedups(self, entry):
        """{peer: [(workers, serial time over the peer's)]}, if there is a serial time."""
        serial = self.lines[entry].get(("serial", 1))
        curves = {}
        for (peer, workers), figure in sorted(self.lines[entry].items()):
            if serial and peer != "serial":
                curves.setdefault(peer, []).append((workers, serial.seconds / figure.seconds))
        return curves
