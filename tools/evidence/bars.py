"""What the project promises to have counted at least, held against what was counted."""

from dataclasses import dataclass

WORKERS = (1, 2, 4, 16)


@dataclass(frozen=True)
class Bar:
    what: str
    wanted: int
    found: int
    at_most: bool = False

    def is_met(self):
        return self.found <= self.wanted if self.at_most else self.found >= self.wanted


def bars(evidence):
    edges, mutants = edges_in(evidence), [mutant for mutant in evidence.of("mutant") if mutant["as_claimed"]]
    killed = [mutant for mutant in mutants if mutant["verdict"] == "killed"]
    return (
        Bar("states that our explorer saw, in checks that are complete", 500_000, complete_states(evidence)),
        Bar("executions by Relacy", 10_000_000, total(evidence.of("relacy"), "executions")),
        Bar(f"edges whose witness fails without them, of {len(edges)}", len(edges) - sum(edge.excused for edge in edges),
            sum(edge.caught for edge in edges)),
        Bar("edges that no checker can see the loss of, with the reason", 1, sum(edge.excused for edge in edges), at_most=True),
        Bar("mutants killed", 20, len(killed)),
        Bar("mutants equivalent", 8, len(mutants) - len(killed), at_most=True),
        Bar("mutants neither killed nor equivalent", 0, len(evidence.of("mutant")) - len(mutants), at_most=True),
        Bar("variants that fail", 0, sum(not variant["as_claimed"] for variant in evidence.of("variant")), at_most=True),
        Bar("hazards put back, and noticed", 25, len({number for mutant in killed for number in mutant["hazards"]})),
        Bar("seeds of random programs", 100_000, total(named(evidence, "schedule", "random programs"), "seeds")),
        Bar("random recordings whose budget balances to the nanosecond", 10_000, total(named(evidence, "random", "budget"), "seeds")),
        Bar("operations of the deque", 1_000_000_000, total(named(evidence, "stress", "queue.deque_"), "operations")),
        Bar("duels for the last item of a deque", 100_000_000, total(named(evidence, "stress", "queue.deque_in_bursts_of_1_"), "operations") // 2),
        *(Bar(f"jobs handed to a pool of {workers} worker{'s' * (workers > 1)} that falls asleep", 10_000_000,
              total(named(evidence, "stress", f"sched.sleep_then_post_at_{workers}_"), "operations")) for workers in WORKERS),
        Bar("pools made, used and destroyed", 100_000, total(named(evidence, "stress", "sched.pool_cycles"), "operations")),
    )


@dataclass(frozen=True)
class Edge:
    name: str
    caught: bool
    excused: bool


def edges_in(evidence):
    """Each edge with what all its witnesses said; one that a checker must not see has a test `no_witness_of_` it as well or instead."""
    said = {}
    for record in evidence.of("edge"):
        said.setdefault(record["name"].replace(".no_witness_of_", ".witness_of_"), []).append(record)
    return [Edge(name, any(record["caught"] for record in records), all(".no_witness_of_" in record["name"] for record in records))
            for name, records in sorted(said.items())]


def complete_states(evidence):
    return total([record for record in evidence.of("explorer") if record.get("complete") is True], "states")


def named(evidence, kind, beginning):
    return [record for record in evidence.of(kind) if str(record.get("name", "")).startswith(beginning)]


def total(records, field):
    return sum(record.get(field, 0) for record in records)
