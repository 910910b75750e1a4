"""What is measured: one cell of the grid problem x peer x workers, and the samples taken of it."""

import statistics
from dataclasses import dataclass, field

from harness import settling


@dataclass(frozen=True)
class Cell:
    """One program with one set of arguments. Equal cells are measured once, however many rows need them."""

    problem: str
    peer: str
    compiler: str
    workers: int = 1
    size: int | None = None
    case: str | None = None
    repeat: int = 1
    samples: int | None = None  # None: as many as the run takes; a program with its own statistics needs fewer

    @property
    def arguments(self):
        words = ["--workers", str(self.workers), "--repeat", str(self.repeat)]
        if self.size is not None:
            words += ["--size", str(self.size)]
        if self.case is not None:
            words += ["--case", self.case]
        return words

    def __str__(self):
        kind = f" {self.case}" if self.case else ""
        size = f"({self.size})" if self.size is not None else ""
        return f"{self.problem}{size}{kind}, {self.peer}, {self.compiler}, workers: {self.workers}"


@dataclass(frozen=True)
class Sample:
    """One run of a program: the median of each value that it printed, and what others did to the machine meanwhile."""

    values: dict
    seconds: float
    foreign_seconds: float

    # A share of the run that others may take, and the grain of the kernel's books, without which short runs never qualify.
    ALLOWED_SHARE = 0.03
    BOOK_GRAIN_SECONDS = 0.02

    @property
    def disturbed(self):
        return self.foreign_seconds > self.ALLOWED_SHARE * self.seconds + self.BOOK_GRAIN_SECONDS


@dataclass
class Record:
    """All samples of a cell, or why there are none."""

    cell: Cell
    wanted: int  # of undisturbed samples, before the median is asked whether it has settled
    samples: list = field(default_factory=list)
    failure: str | None = None
    skipped: str | None = None
    most: int = field(default=0, compare=False)  # undisturbed samples, settled or not; no more than wanted if it is less

    @property
    def undisturbed(self):
        return [sample for sample in self.samples if not sample.disturbed]

    @property
    def disturbed(self):
        """True if the machine was never quiet for long enough: the figure then stands on the least disturbed samples."""
        return len(self.undisturbed) < self.wanted

    @property
    def settled(self):
        """Whether the median of the undisturbed samples is known well, which it is not from a few; None if the program prints no time."""
        times = [sample.values.get("seconds") for sample in self.undisturbed]
        return None if None in times else settling.is_settled(times)

    @property
    def exhausted(self):
        """Whether enough was tried for the median to settle, if it does."""
        return len(self.undisturbed) >= self.most or sum(sample.seconds for sample in self.samples) >= settling.MOST_SECONDS

    @property
    def complete(self):
        if self.failure is not None or self.skipped is not None:
            return True
        return not self.disturbed and (self.settled is not False or self.exhausted)

    def has(self, metric):
        """Whether there is a median of it, or a reason for none. Not of what programs have come to tell since the run."""
        return bool(self.failure or self.skipped) or all(metric in sample.values for sample in self.samples)

    def median(self, metric):
        by_calm = sorted(self.samples, key=lambda sample: sample.foreign_seconds / sample.seconds)
        chosen = by_calm[: self.wanted] if self.disturbed else self.undisturbed
        return statistics.median(sample.values[metric] for sample in chosen)
