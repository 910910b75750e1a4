"""What a run says: progress on a terminal, a table, and lines for docs/evidence.md."""

import json
import sys
import threading
import time

LAST_LINES = 25


class Progress:
    """One line that changes, on standard error; nothing if that is no terminal."""

    def __init__(self, count, stream=sys.stderr):
        self.count, self.stream = count, stream
        self.finished, self.lock, self.begin = 0, threading.Lock(), time.monotonic()

    def say(self, what):
        if self.stream.isatty():
            elapsed = time.monotonic() - self.begin
            print(f"\r\x1b[K{self.finished}/{self.count} mutants, {elapsed:.0f} s: {what}"[:110], end="", file=self.stream, flush=True)

    def done(self, verdict):
        with self.lock:
            self.finished += 1
            self.say(f"{verdict.mutant.name} {verdict.word}")
        return verdict

    def end(self):
        if self.stream.isatty():
            print("\r\x1b[K", end="", file=self.stream, flush=True)


def text(verdicts):
    """The table, what went wrong with those that are not as claimed, and the sum."""
    rows = [("mutant", "hazards", "test", "verdict", "after"), *map(row, verdicts)]
    widths = [max(len(cells[i]) for cells in rows) for i in range(4)]
    lines = ["  ".join([cell.ljust(width) for cell, width in zip(cells, widths)] + [cells[4]]).rstrip() for cells in rows]
    for verdict in verdicts:
        if not verdict.as_claimed:
            tail = "\n".join("    " + line for line in verdict.output.splitlines()[-LAST_LINES:])
            lines += ["", f"{verdict.mutant.name}: {verdict.word}: {verdict.mutant.claim}", tail]
    lines += ["", summary(verdicts)]
    return "\n".join(lines)


def row(verdict):
    mutant = verdict.mutant
    after = f"{verdict.seconds:.2f} s" + (f", {verdict.executions} executions" if verdict.executions is not None else "")
    return mutant.name, " ".join(map(str, mutant.hazards)) or "-", mutant.test or mutant.target, verdict.word, after


def summary(verdicts):
    variants = [verdict for verdict in verdicts if verdict.mutant.variant]
    mutants = [verdict for verdict in verdicts if not verdict.mutant.variant]
    return "\n".join([*([summary_of_mutants(mutants)] if mutants else []), *([summary_of_variants(variants)] if variants else [])])


def summary_of_variants(verdicts):
    hold = sum(verdict.as_claimed for verdict in verdicts)
    return f"{len(verdicts)} variants: {hold} hold, {len(verdicts) - hold} do not"


def summary_of_mutants(verdicts):
    killed = sum(verdict.as_claimed and verdict.word == "killed" for verdict in verdicts)
    equivalent = sum(verdict.as_claimed and verdict.word == "equivalent" for verdict in verdicts)
    hazards = {number for verdict in verdicts if verdict.as_claimed for number in verdict.mutant.hazards}
    return (f"{len(verdicts)} mutants: {killed} killed, {equivalent} equivalent, {len(verdicts) - killed - equivalent} not as claimed; "
            f"{len(hazards)} hazards put back")


def evidence(verdicts):
    return "\n".join(f"evidence: {json.dumps(verdict.record())}" for verdict in verdicts)
