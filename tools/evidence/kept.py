"""The records that are kept in docs/evidence.txt, and what a new run changes in them."""

import json

from lines import COUNTED, records_of, text_of
from records import VERDICTS, BadRecord

KINDS = ("relacy", "explorer", "edge", "spin", "schedule", "stress", "calibration", "random", "fuzz", *VERDICTS, "suite")
MEASURED = ("seconds", "executions", "states", "when")  # what two runs that give one verdict may differ in
WHOLE_SHARE = 0.9  # a run of fewer tests than this share of the kept one's is a run of some tests
NOTABLY_MORE = 1.1
HEAD = "# What evidence.md is made from; written by tools/evidence/evidence.py. A line: what was counted, the test, the name if it is another.\n"


class Kept:
    """All records, by kind, name and the test that told them."""

    def __init__(self, records=()):
        self.by_key = {key_of(record): record for record in records}

    @classmethod
    def read(cls, file):
        return cls(checked(record, file) for record in records_of(file.read_text(encoding="utf-8") if file.is_file() else "", file))

    def write(self, file):
        file.write_text(HEAD + text_of(self.all()), encoding="utf-8")

    def of(self, kind):
        return [self.by_key[key] for key in sorted(self.by_key) if key[0] == kind]

    def all(self):
        return [record for kind in KINDS for record in self.of(kind)]

    def take(self, records, renew):
        """Takes in what a run said. What a test no longer says, it takes back."""
        records = best_of(records)
        told = {}
        for record in records:
            if "ctest" in record:
                told.setdefault((record["kind"], record["ctest"]), []).append(record)
        for key, old in list(self.by_key.items()):
            new = told.get((key[0], key[2]))
            if new and old["when"] <= new[0]["when"] and key[1] not in {str(record["name"]) for record in new}:
                del self.by_key[key]
        for record in records:
            old = self.by_key.get(key_of(record))
            if old is None or replaces(record, old, renew):
                self.by_key[key_of(record)] = record

    def drop(self, is_gone):
        self.by_key = {key: record for key, record in self.by_key.items() if not is_gone(record)}

    def describe(self, mutants):
        """Adds what the catalogue says today of mutants whose verdict is kept. It is not kept."""
        for key, record in self.by_key.items():
            if key[0] in VERDICTS:
                record.setdefault("hazards", [])
        for mutant in mutants:
            key = mutant.kind, mutant.name, ""
            if key in self.by_key:
                self.by_key[key] |= {"room": mutant.room, "hazards": list(mutant.hazards), "claim": mutant.claim}
                if reason := mutant.equivalent or mutant.variant:
                    self.by_key[key] |= {"reason": reason}


def key_of(record):
    return record["kind"], str(record["name"]), record.get("ctest", "")


def checked(record, file):
    if record["kind"] not in KINDS or "when" not in record:
        raise BadRecord(f"{file}: {record['kind']}: of no day, or none of {', '.join(KINDS)}")
    return record


def best_of(records):
    """Of what several builds said of one thing, what saw most; of a verdict, the last."""
    best = {}
    for record in records:
        if record["kind"] not in KINDS or "name" not in record:
            raise BadRecord(f"of no known kind, or without a name: {json.dumps(record)}")
        key = key_of(record)
        if key not in best or record["kind"] in VERDICTS or effort(record) >= effort(best[key]):
            best[key] = record
    return list(best.values())


def replaces(new, old, renew):
    """Whether a record says something that the kept one does not; with `renew`, whether it is as good."""
    if new["when"] < old["when"]:
        return False
    if new["kind"] in VERDICTS:
        return renew or said(new) != said(old)
    if new["kind"] == "suite":
        return test_count(new) >= WHOLE_SHARE * test_count(old)
    if is_as_thorough(new, old):
        return renew or any(new.get(field) != old.get(field) for field in (*COUNTED, "caught"))
    return renew and effort(new) >= effort(old) or effort(new) > 0 and effort(new) >= NOTABLY_MORE * effort(old)


def said(record):
    return {key: value for key, value in record.items() if key not in MEASURED}


def test_count(suite):
    return suite["passed"] + suite["skipped"] + len(suite["failed"])


def is_as_thorough(new, old):
    """Both saw everything, or as much as the same bound allows: if the figures differ, the model has changed."""
    if new["kind"] in ("edge", "calibration") or new.get("complete") is True and old.get("complete") is True:
        return True
    return "extent" in new and new["extent"] == old.get("extent")


def effort(record):
    return sum(record.get(field, 0) for field in COUNTED)
