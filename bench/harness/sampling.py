"""Runs contenders in turn and keeps book of what else the machine did meanwhile."""

import glob
import json
import math
import os
import random
import resource
import statistics
import subprocess
import time

from harness import progress
from harness.cells import Record, Sample

SECONDS_BEFORE_GIVING_UP = 600
MOST_ROUNDS_FOR_ONE = 3  # of those wanted, before disturbed samples are accepted

BUSY_FIELDS = (0, 1, 2, 5, 6, 7)  # of /proc/stat: user, nice, system, irq, softirq, steal


class ContenderFailed(Exception):
    """A program ended badly, hung or computed a wrong result."""


def busy_seconds(stat_text):
    """Processor time used or stolen on all processors since boot, from the text of /proc/stat."""
    ticks = [int(word) for word in stat_text.splitlines()[0].split()[1:]]
    return sum(ticks[i] for i in BUSY_FIELDS if i < len(ticks)) / os.sysconf("SC_CLK_TCK")


def machine_busy_seconds():
    """As `busy_seconds`, now; 0 if there is no /proc, so that nothing counts as disturbed there."""
    try:
        with open("/proc/stat", encoding="ascii") as stat:
            return busy_seconds(stat.read())
    except OSError:
        return 0.0


def energy_counters():
    """{path: (microjoules so far, where the counter starts again)} of each processor package; empty if they may not be read."""
    found = {}
    for path in glob.glob("/sys/class/powercap/intel-rapl:[0-9]*"):
        try:
            if path.count(":") == 1:  # a package, not one of its parts
                found[path] = tuple(int(open(f"{path}/{name}", encoding="ascii").read()) for name in ("energy_uj", "max_energy_range_uj"))
        except OSError:
            return {}
    return found


def joules_between(before, after):
    return sum((after[path][0] - before[path][0]) % (after[path][1] + 1) for path in before) * 1e-6


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def medians(lines):
    """The median of each number over the JSON lines of one run."""
    if not lines:
        raise ContenderFailed("printed no sample")
    try:
        rows = [json.loads(line) for line in lines]
        if not all(row["correct"] for row in rows):
            raise ContenderFailed("computed a wrong result")
        names = [name for name, value in rows[0].items() if isinstance(value, (int, float)) and not isinstance(value, bool)]
        return {name: statistics.median(row[name] for row in rows) for name in names}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ContenderFailed(f"printed what is no sample: {lines[0][:80]}") from None


def run_once(program, arguments):
    """Runs `program` and returns its sample: what it printed, and the processor time that it took in all."""
    energy_before = energy_counters()
    machine_before, own_before, start = machine_busy_seconds(), children_seconds(), time.monotonic()
    try:
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, timeout=SECONDS_BEFORE_GIVING_UP)
    except subprocess.TimeoutExpired:
        raise ContenderFailed(f"did not finish in {SECONDS_BEFORE_GIVING_UP} s") from None
    except OSError as refused:
        raise ContenderFailed(f"cannot be run: {refused.strerror}") from None
    seconds = time.monotonic() - start
    own = children_seconds() - own_before
    foreign = max(0.0, machine_busy_seconds() - machine_before - own)
    if done.returncode != 0:
        why = done.stderr.strip().splitlines()
        if not why and done.stdout.strip():
            medians(done.stdout.splitlines())  # a wrong result is why, if there is one
        raise ContenderFailed(f"exit status {done.returncode}: {why[-1] if why else 'no message'}")
    values = medians(done.stdout.splitlines()) | {"cpu_seconds": own}
    if energy_before:
        values["joules"] = joules_between(energy_before, energy_counters())
    return Sample(values, seconds, foreign)


class Series:
    """Cells that are compared: each is run once a round, each round in another order, until it has enough undisturbed samples: `samples`, and then as
    many as its median takes to settle, at most `most`. A cell that says itself how many it wants gets those. After `rounds_for_one` times as many
    rounds as samples are wanted, disturbed ones are accepted.

    `find_program(cell)` returns the program, or raises LookupError saying why there is none.
    """

    def __init__(self, cells, find_program, samples, most=0, rounds_for_one=MOST_ROUNDS_FOR_ONE):
        self.records = [Record(cell, cell.samples or samples, most=0 if cell.samples else most) for cell in cells]
        self.rounds_for_one, self.rounds, self.seconds = rounds_for_one, 0, 0.0
        self.order = random.Random(1)
        self.programs = {}
        for record in self.records:
            try:
                self.programs[record.cell] = find_program(record.cell)
            except LookupError as missing:
                record.skipped = str(missing.args[0])

    @property
    def waiting(self):
        """The records that want another sample."""
        return [r for r in self.records if not r.complete and len(r.samples) < self.rounds_for_one * r.wanted]

    def round(self):
        start, waiting = time.monotonic(), self.waiting
        self.order.shuffle(waiting)
        for number, record in enumerate(waiting, 1):
            progress.show(f"  {number} of {len(waiting)}: {record.cell}")
            sample_into(record, self.programs[record.cell])
        self.rounds += 1
        self.seconds += time.monotonic() - start
        progress.say(f"  round {self.rounds}: {sum(record.complete for record in self.records)} of {len(self.records)} complete")

    def run(self, until=math.inf):
        """All rounds that are wanted and, as far as the earlier ones tell, end by `until` of the monotonic clock, give or take half of one."""
        while self.waiting and (self.rounds == 0 or time.monotonic() + self.seconds / self.rounds / 2 < until):
            self.round()

    def settle_for_less(self):
        """What there is has to do: fewer samples are wanted, and their median has not settled."""
        for record in self.records:
            record.wanted = min(record.wanted, max(1, len(record.undisturbed)))


def sample_into(record, program):
    try:
        record.samples.append(run_once(program, record.cell.arguments))
    except ContenderFailed as failure:
        record.failure = str(failure)
