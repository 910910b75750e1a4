"""From samples to verdicts, and from verdicts to JSON and a Markdown table."""

from dataclasses import asdict, dataclass

from harness import folded, grid_table, reasons
from harness.rows import Row
from harness.standings import Standings


@dataclass(frozen=True)
class Outcome:
    row: Row
    compiler: str
    figure: float | None
    verdict: str  # "met", "missed", "" if there is no bar, or why there is no figure
    disturbed: bool = False
    unsettled: bool = False
    note: str = ""  # what of many the figure is of

    @property
    def lost(self):
        behind = self.row.lost_below is not None and self.figure is not None and self.figure < self.row.lost_below
        return behind or self.verdict == "missed"

    @property
    def figure_text(self):
        """Empty if there is no figure."""
        if self.figure is None:
            return ""
        mark = "*" if self.disturbed else "~" if self.unsettled else ""
        figure = " ".join(part for part in (short(self.figure), self.row.unit) if part)
        return f"{figure}{mark}" + (f" ({self.note})" if self.note else "")

    def line(self, known):
        why = reasons.of(reasons.place_of_row(self.row), known) if self.lost else None
        bar = bar_text(self.row) if self.row.bar else ""
        return folded.Line(self.row.what, bar, self.compiler, self.figure_text, self.lost, why["reason"] if why else "")

    def __str__(self):
        if self.figure is None:
            return self.verdict
        return self.figure_text + (f", **{self.verdict}**" if self.verdict else "")


def short(number):
    """Three digits that count, and no exponent."""
    if number == 0:
        return "0"
    if abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.3g}" if abs(number) >= 0.001 else f"{number:.6f}"


def verdict_of(bar, figure):
    return "" if bar is None else "met" if bar.holds(figure) else "missed"


def judge(row, compiler, records):
    """`records`: Cell -> Record."""
    used = [records[cell] for cell, _ in row.readings]
    for record in used:
        if record.skipped:
            return Outcome(row, compiler, None, f"skipped: {record.skipped}")
        if record.failure:
            return Outcome(row, compiler, None, f"failed: {record.cell.peer} {record.failure}")
    figure = row.figure(*(records[cell].median(metric) for cell, metric in row.readings))
    verdict = verdict_of(row.bar, figure)
    return Outcome(row, compiler, figure, verdict, any(record.disturbed for record in used), any(record.settled is False for record in used))


def bar_text(row):
    sign = {"at most": "<=", "at least": ">="}[row.bar.sense]
    return f"{sign} {short(row.bar.limit)} {row.unit}".strip()


def table(outcomes, compilers, with_bar):
    """One line a row, one column a compiler. Without the rows that hold a peer against filch."""
    lines = {}
    for outcome in outcomes:
        if (outcome.row.bar is not None) == with_bar and not folded.AGAINST.fullmatch(outcome.row.what):
            lines.setdefault((outcome.row.problem, outcome.row.what), {})[outcome.compiler] = outcome
    heads = ["what", *(["bar"] if with_bar else []), *compilers]
    text = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for (_, what), by_compiler in lines.items():
        any_row = next(iter(by_compiler.values())).row
        cells = [what, *([bar_text(any_row)] if with_bar else []), *(str(by_compiler.get(c, "")) for c in compilers)]
        text.append("| " + " | ".join(cells) + " |")
    return "\n".join(text)


def markdown(outcomes, records, machine, command, date, notes):
    compilers = list(machine["compilers"])
    rust = f", {machine['rustc']}" if machine["rustc"] else ""
    others = "".join(f", {peer} {version}" for peer, version in machine.get("peers", {}).items())
    known = reasons.load()
    lines = [outcome.line(known) for outcome in outcomes]
    parts = [
        f"# Figures of {date}",
        f"Made by `{command}` on {machine['cores']} cores of {machine['processor']}, {machine['system']}, "
        f"Linux {machine['kernel']}; commit {machine['commit'] or 'unknown'}. "
        f"{', '.join(str(v) for v in machine['compilers'].values())}{rust}; oneTBB {machine['oneTBB'] or 'absent'}, "
        f"Rayon {machine['Rayon'] or 'absent'}{others}. An asterisk: no quiet moment was found, the least disturbed samples were taken. "
        "A tilde: the median had not settled within 2 % when samples ran out.",
        table(outcomes, compilers, with_bar=True),
        "## Without a bar",
        table(outcomes, compilers, with_bar=False),
        *beside_peers(lines, compilers),
        *(grid_table.markdown(Standings(records.values(), compiler), short) for compiler in compilers),
    ]
    parts += ["## Losses", folded.losses(lines) or "None."]
    if lines := left_out(records.values(), notes):
        parts += ["## Left out", "\n".join(f"- {line}" for line in lines)]
    return "\n\n".join(parts) + "\n"


def beside_peers(lines, compilers):
    if text := folded.beside_peers(lines, compilers):
        yield "## Beside the peers: how many times as long each takes; in bold what filch loses"
        yield text


def left_out(records, notes):
    """Sorted lines: what was not measured and why, wrong results among it, and `notes`."""
    lines = {f"{r.cell.peer}: {r.skipped}" for r in records if r.skipped} | set(notes)
    return sorted(lines | {f"{r.cell}: failed, {r.failure}" for r in records if r.failure})


def as_json(outcomes, records, machine, command, date, notes):
    return {
        "date": date, "command": command, "machine": machine, "left_out": notes,
        "rows": [{"what": o.row.what, "problem": o.row.problem, "compiler": o.compiler, "figure": o.figure, "unit": o.row.unit,
                  "bar": None if o.row.bar is None else bar_text(o.row), "verdict": o.verdict, "disturbed": o.disturbed, "unsettled": o.unsettled,
                  "note": o.note}
                 for o in outcomes],
        "cells": [{**asdict(r.cell), "failure": r.failure, "skipped": r.skipped, "disturbed": r.disturbed, "settled": r.settled,
                   "samples_asked": r.cell.samples, "samples_wanted": r.wanted,
                   "samples": [{**asdict(s), "disturbed": s.disturbed} for s in r.samples]} for r in records.values()],
    }
