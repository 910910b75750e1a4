"""Whether two runs say the same: every ratio of a contender's time to filch's that both have."""

import statistics
from dataclasses import dataclass

from harness.standings import Standings

ALLOWED = 0.05  # by which a ratio may differ


@dataclass(frozen=True)
class Pair:
    what: str
    first: float
    second: float
    disturbed: bool

    @property
    def difference(self):
        return max(self.first / self.second, self.second / self.first) - 1


def ratios(part):
    """{what: (ratio, whether a sample of either side was disturbed)}"""
    found = {}
    for compiler in part.machine["compilers"]:
        for entry, line in Standings(part.records, compiler).lines.items():
            for (peer, workers), figure in line.items():
                for count in {count for name, count in line if name == "filch" and peer != "filch" and (peer == "serial" or count == workers)}:
                    mine = line["filch", count]
                    what = f"{entry.title}, {compiler}, {count} worker{'s' * (count > 1)}: {peer}"
                    found[what] = (figure.seconds / mine.seconds, figure.disturbed or mine.disturbed)
    return found


def pairs(first, second):
    """Of what both have, the furthest apart first."""
    one, two = ratios(first), ratios(second)
    both = [Pair(what, one[what][0], two[what][0], one[what][1] or two[what][1]) for what in one if what in two]
    return sorted(both, key=lambda pair: -pair.difference)


def apart(found):
    """Those that differ by more than is allowed. What was disturbed says nothing of the contenders."""
    return [pair for pair in found if pair.difference > ALLOWED and not pair.disturbed]


def agree(found):
    """Whether there is something to compare, and none of it apart. Two runs of which all was disturbed show nothing."""
    return not apart(found) and not all(pair.disturbed for pair in found)


def markdown(found, names):
    if not found:
        return "The two runs have no ratio in common.\n"
    differences = [pair.difference for pair in found]
    beyond, disturbed = apart(found), sum(pair.disturbed for pair in found)
    lines = [f"{len(found)} ratios to filch's time are in both runs; {len(found) - len(beyond) - disturbed} agree within {ALLOWED:.0%}, {len(beyond)} do not"
             f"{f', {disturbed} were disturbed' if disturbed else ''}. Half of them differ by less than {statistics.median(differences):.1%}.", ""]
    if beyond:
        lines += [f"| further apart | {names[0]} | {names[1]} | difference |", "|---|---|---|---|"]
        lines += [f"| {pair.what} | {pair.first:.3g} | {pair.second:.3g} | {pair.difference:.1%} |" for pair in beyond]
    return "\n".join(lines).rstrip() + "\n"
