"""Measures problem by problem, so that what is compared was measured within the same minutes: as long as it takes, or in a given time."""

import time

from harness import sampling
from harness.progress import say


def series_of(cells, find_program, samples, most, rounds_for_one):
    """{problem: its series}, in the order of `cells`."""
    problems = dict.fromkeys(cell.problem for cell in cells)
    return {problem: sampling.Series(dict.fromkeys(cell for cell in cells if cell.problem == problem), find_program, samples, most, rounds_for_one)
            for problem in problems}


def run_each(series):
    """Each problem until it is complete. Takes from `series` those that Ctrl-C left incomplete, and returns their names."""
    left = list(series)
    try:
        while left:
            say(f"{left[0]}: {len(series[left[0]].records)} cells")
            series[left[0]].run()
            left.pop(0)
    except KeyboardInterrupt:
        say("interrupted")
    for problem in left:
        del series[problem]
    return left


def run_within(series, seconds):
    """One round of each problem, whatever it takes; then further ones, for which each gets a share of the time that is left, as large as that of its first
    round was. What is incomplete then has to do with fewer samples, also after Ctrl-C. Takes away and returns as `run_each` those without a round."""
    end = time.monotonic() + seconds
    try:
        for problem, each in series.items():
            say(f"{problem}: {len(each.records)} cells")
            each.round()
        weights = {problem: each.seconds for problem, each in series.items()}
        for problem, each in series.items():
            now = time.monotonic()
            say(f"{problem}: {max(0.0, end - now) / 60:.0f} min left for this and {len(weights) - 1} more")
            each.run(until=now + (end - now) * weights[problem] / sum(weights.values()))
            del weights[problem]
    except KeyboardInterrupt:
        say("interrupted")
    left_out = [problem for problem, each in series.items() if each.rounds == 0]
    for problem in left_out:
        del series[problem]
    for each in series.values():
        each.settle_for_less()
    return left_out


def measure(cells, find_program, samples, most=0, rounds_for_one=sampling.MOST_ROUNDS_FOR_ONE, seconds=None):
    """Returns the records by cell, and the problems that are left out because of Ctrl-C."""
    series = series_of(cells, find_program, samples, most, rounds_for_one)
    left_out = run_each(series) if seconds is None else run_within(series, seconds)
    return {record.cell: record for each in series.values() for record in each.records}, left_out
