"""Reads what runs and sweeps have kept, and joins what was measured on the same machine."""

import json
from dataclasses import dataclass, field, fields

from harness.cells import Cell, Record, Sample


@dataclass
class Part:
    """What there is of one machine."""

    machine: dict
    command: str
    date: str
    records: list
    notes: list = field(default_factory=list)
    outcomes: list = field(default_factory=list)


def record_from(kept, wanted):
    own = {each.name: kept[each.name] for each in fields(Cell) if each.name != "samples"}  # the file's are those taken
    cell = Cell(**own, samples=kept.get("samples_asked"))
    samples = [Sample(each["values"], each["seconds"], each["foreign_seconds"]) for each in kept["samples"]]
    return Record(cell, wanted or max(len(samples), 1), samples, kept.get("failure"), kept.get("skipped"))


def read(path):
    """The `Part` of one file; a file that is none of ours ends the program with a message."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        records = [record_from(each, each.get("samples_wanted") or sum(not s["disturbed"] for s in each["samples"])) for each in kept["cells"]]
        return Part(kept["machine"], kept["command"], kept["date"], records, kept.get("left_out", []))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"{path} holds no run of bench/run.py: {error!r}") from None


def joined(first, second):
    """Equal cells become one with the samples of both; a program that was there once counts as there."""
    by_cell = {record.cell: record for record in first}
    for record in second:
        known = by_cell.get(record.cell)
        if known is None or known.skipped:
            by_cell[record.cell] = record
        elif record.failure:
            known.failure = known.failure or record.failure
        elif not record.skipped:
            known.samples += record.samples
            known.wanted += record.wanted
    return list(by_cell.values())


def both_of(first, second):
    """Of programs of two commits: a median over the samples of both is of neither alone."""
    return first if first == second else f"{first or 'unknown'} and {second or 'unknown'}"


def merge(parts):
    """One `Part` for each machine, in the order in which they come."""
    merged = {}
    for part in parts:
        name = (part.machine["processor"], part.machine["cores"])
        if name not in merged:
            merged[name] = part
            continue
        known = merged[name]
        known.records = joined(known.records, part.records)
        known.machine["compilers"] = {**known.machine["compilers"], **part.machine["compilers"]}
        known.machine["commit"] = both_of(known.machine["commit"], part.machine["commit"])
        known.notes = list(dict.fromkeys([*known.notes, *part.notes]))
        known.command, known.date = f"{known.command}; {part.command}", max(known.date, part.date)
    return list(merged.values())
