"""The bars of the grid as a whole: first in the mean, near the best of every problem, lean. Each figure is the worst of many, and says which."""

from harness.grid import MEMORY_BOUND
from harness.report import Outcome, verdict_of
from harness.rows import Row, at_least, at_most
from harness.standings import ALLOWED, Standings

JUDGED_WORKERS = (1, 2)
ALLOWED_MIB = 2
LEAST_PROBLEMS = 5  # a run of fewer says nothing of the grid as a whole


def outcome(standings, problem, what, unit, bar, worst):
    """`worst`: (figure, note, whether it was disturbed)."""
    figure, note, disturbed = worst
    return Outcome(Row(problem, what, (), None, unit, bar), standings.compiler, figure, verdict_of(bar, figure), disturbed, note=note)


def workers_judged(standings):
    return [workers for workers in JUDGED_WORKERS if workers in standings.worker_counts]


def problems_of(standings, workers):
    return len({entry.problem for entry, line in standings.lines.items() if entry.fork_join and ("filch", workers) in line})


def means(standings):
    """Of each number of workers: the peer that comes nearest to filch, or is furthest ahead."""
    found = []
    for workers in workers_judged(standings):
        means = [(*standings.mean_against_filch(peer, workers), peer) for peer in standings.peers if peer != "filch"]
        means = [(mean, f"{peer}, over {count}", False) for mean, count, peer in means if mean is not None]
        if means and problems_of(standings, workers) >= LEAST_PROBLEMS:
            what = f"geometric mean over the fork-join problems, workers: {workers}: the nearest peer against filch"
            found.append(outcome(standings, "grid", what, "x", at_least(1), min(means)))
    return found


def by_problem(standings, takes, measure_line):
    """{problem: the greatest of what `measure_line(line, entry, workers)` gives for its lines}."""
    worst = {}
    for entry, line in standings.lines.items():
        for workers in workers_judged(standings) if takes(entry) else ():
            if ("filch", workers) in line and (found := measure_line(line, entry, workers)):
                worst[entry.problem] = max(worst.get(entry.problem, found), found)
    return worst


def behind(standings, line, entry, workers):
    best = standings.best_peer(entry, workers)
    if best is None:
        return None
    seconds, peer = best
    mine, other = line["filch", workers], line[peer, workers]
    return mine.seconds / seconds, f"{entry.title}, {peer}, workers: {workers}", mine.disturbed or other.disturbed


def nearness(standings):
    worst = by_problem(standings, lambda entry: entry.problem not in MEMORY_BOUND, lambda *place: behind(standings, *place))
    return [outcome(standings, problem, f"{problem}: filch against the best peer", "x", at_most(ALLOWED), found) for problem, found in worst.items()]


def above_least(line, entry, workers):
    taken = [(figure.kib, peer) for (peer, count), figure in line.items() if peer not in ("filch", "serial") and count == workers and figure.kib]
    mine = line["filch", workers].kib
    if not taken or not mine:
        return None
    least, peer = min(taken)
    return (mine - least) / 1024, f"{entry.title}, {peer}, workers: {workers}", False


def leanness(standings):
    worst = by_problem(standings, lambda entry: entry.fork_join, above_least)
    return [outcome(standings, problem, f"{problem}: peak memory above the leanest peer's", "MiB", at_most(ALLOWED_MIB), found)
            for problem, found in worst.items()]


def outcomes(records, compilers):
    found = []
    for compiler in compilers:
        standings = Standings(records, compiler)
        found += means(standings) + nearness(standings) + leanness(standings)
    return found
