"""The form in which records are kept: of each only what the page counts, on a line below a heading that says what the lines share."""

import json
import zlib

from records import VERDICTS, BadRecord

COUNTED = ("executions", "states", "seeds", "operations", "runs", "jobs", "cycles", "mistakes")
STAYS = ("kind", "name", "ctest", "when", *COUNTED, "complete", "extent", "caught", "verdict", "as_claimed")
ON_LINES = ("name", "ctest", "test", *COUNTED)  # and the rest in headings


def condensed(records):
    """Of what one run said, what is kept. A stress test has one record of calibration: how many mistakes it noticed."""
    found, mistakes = [], {}
    for record in records:
        if record["kind"] == "calibration":
            mistakes.setdefault(record["ctest"], []).append(record)
        else:
            found.append(record if record["kind"] == "suite" else short(record))
    return found + [{"kind": "calibration", "name": test, "ctest": test, "mistakes": len(noticed), "when": noticed[-1]["when"]}
                    for test, noticed in mistakes.items()]


def short(record):
    if record["kind"] in VERDICTS:
        return {field: record[field] for field in ("kind", "name", "when", "verdict", "as_claimed")} | {"test": mark_of(record["test"])}
    kept = {field: record[field] for field in STAYS if field in record and (field not in COUNTED or record[field])}
    if kept.get("complete"):
        kept.pop("extent", None)
    return kept


def mark_of(test):
    """Tells whether a mutant is still tried on the test that gave its verdict."""
    return f"{zlib.crc32(test.encode()) & 0xFFFF:04x}"


def text_of(records):
    """Records in their order, one of one heading behind the other."""
    sections = {}
    for record in records:
        sections.setdefault(heading_of(record), []).append(line_of(record))
    return "".join("\n".join(["", heading, *lines, ""]) for heading, lines in sections.items())


def heading_of(record):
    of_suite = record["kind"] == "suite"
    shared = {field: value for field, value in record.items()
              if (field not in ON_LINES and field in STAYS) or of_suite and field != "name"}
    return json.dumps(shared | {"counts": counts_of(record)}, ensure_ascii=False)


def counts_of(record):
    return [] if record["kind"] == "suite" else [field for field in COUNTED if field in record]


def line_of(record):
    test, name = record.get("ctest") or record.get("test", "-"), str(record["name"])
    return " ".join([*(str(record[field]) for field in counts_of(record)), test, *([name] if name != name_by(record["kind"], test) else [])])


def name_by(kind, test):
    """The name that the record of a test has, if the line does not say another."""
    if kind == "schedule":
        return test.rpartition(".")[2]
    return test.removesuffix("_libfuzzer") if kind == "fuzz" else test.removeprefix("explorer.").removeprefix("spin.")


def records_of(text, where):
    """What `text_of` has written."""
    shared = counts = None
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.startswith("{"):
                shared = json.loads(line)
                counts = shared.pop("counts")
            elif line and not line.startswith("#"):
                yield record_of(shared, counts, line)
        except (KeyError, TypeError, ValueError) as error:
            raise BadRecord(f"{where}:{number}: {type(error).__name__} {error}: {line}") from None


def record_of(shared, counts, line):
    parts = line.split(" ", len(counts) + 1)
    test, *name = parts[len(counts):]
    told_by = {"ctest": test} if shared["kind"] not in (*VERDICTS, "suite") else {"test": test} if test != "-" else {}
    return {**shared, "name": name[0] if name else name_by(shared["kind"], test), **{field: int(said) for field, said in zip(counts, parts)},
            **told_by}
