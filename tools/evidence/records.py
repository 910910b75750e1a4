"""What test programs said: lines `evidence: {json}`, and ctest's own account of which tests ran."""

import datetime
import json
import re
from dataclasses import dataclass
from pathlib import Path

LINE = re.compile(r"^(?:(\d+): )?evidence: (\{.*\})\s*$", re.MULTILINE)
STARTED = re.compile(r"^\s*Start\s+(\d+): (\S+)$", re.MULTILINE)  # in the output of ctest -V
TEST = re.compile(r"^\d+/\d+ Testing: (?P<name>\S+)\n.*?^Output:\n-+\n(?P<output>.*?)^<end of output>\nTest time =\s*(?P<seconds>[\d.]+) sec\n-+\n"
                  r"(?P<verdict>Test [^\n]*)", re.MULTILINE | re.DOTALL)
BETWEEN = re.compile(r"^Start testing: (\w+ +\d+ [\d:]+) .*^End testing: (\w+ +\d+ [\d:]+) ", re.MULTILINE | re.DOTALL)
CACHED = re.compile(r"^(\w+):\w+=(.*)$", re.MULTILINE)

CHECK = "evidence.page_is_fresh"  # which fails before the page is made anew, and is no news afterwards
VERDICTS = ("mutant", "variant")  # kinds of which each record says itself whether it is as claimed


class BadRecord(Exception):
    """A line that calls itself evidence and is none."""


@dataclass(frozen=True)
class Test:
    name: str
    passed: bool
    skipped: bool
    seconds: float
    records: tuple

    def is_for_evidence(self):
        return bool(self.records) or self.name.startswith("valgrind.")


@dataclass(frozen=True)
class Suite:
    """One run of ctest in one build folder."""
    preset: str
    compiler: str
    sanitizers: str
    when: str
    minutes: int | None  # from its start to its end, by the clock
    tests: tuple

    def failed(self):
        return [test.name for test in self.tests if not test.passed]

    def records(self):
        """What a failed test counted is no evidence; but each mutant and variant has a verdict of its own."""
        for test in self.tests:
            yield from (from_test(record, test.name, self.when) for record in test.records if test.passed or record["kind"] in VERDICTS)

    def record(self, facts):
        """Of the run as a whole. `facts`: of the machine, and what the compiler calls itself."""
        stress = [record for record in self.records() if record["kind"] == "stress"]
        return {"kind": "suite", "name": self.preset, "sanitizers": self.sanitizers,
                "passed": sum(test.passed and not test.skipped for test in self.tests),
                "skipped": sum(test.passed and test.skipped for test in self.tests), "failed": self.failed(),
                "under_valgrind": sum(test.passed and not test.skipped and test.name.startswith("valgrind.") for test in self.tests),
                "stress_tests": len(stress), "operations": sum(record.get("operations", 0) for record in stress),
                **self.time_taken(), **facts, "when": self.when}

    def time_taken(self):
        if self.minutes is None:
            return {}
        return {"minutes": self.minutes, "minutes_for_evidence": round(self.minutes * self.share_for_evidence(), 1)}

    def share_for_evidence(self):
        """Of the time that its tests took, that of those which the page counts: under a sanitizer, all."""
        whole = sum(test.seconds for test in self.tests)
        counted = sum(test.seconds for test in self.tests if self.sanitizers or test.is_for_evidence())
        return counted / whole if whole else 0.0


def from_test(record, test, when):
    """A record with the test that told it and the day; a verdict names its test itself."""
    return record | ({} if record["kind"] in VERDICTS else {"ctest": test}) | {"when": when}


def records_in(text):
    """The records of a text, as the test programs printed them; with the test's name if `ctest -V` says which it was."""
    started = dict(STARTED.findall(text))
    found = []
    for number, line in LINE.findall(text):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise BadRecord(f"not JSON ({error}): {line}") from None
        if not isinstance(record.get("kind"), str):
            raise BadRecord(f"says no kind: {line}")
        found.append(record | ({"ctest": started[number]} if number in started and record["kind"] not in VERDICTS else {}))
    return tuple(found)


def loose_in(text, when):
    """Of output that is not ctest's own log: lines of evidence, or what `mutants.py --json` writes."""
    records = json.loads(text) if text.lstrip().startswith("[") else records_in(text)
    return [record | {"when": when} | ({} if record["kind"] in VERDICTS else {"ctest": record.get("ctest") or test_of(record)}) for record in records]


def test_of(record):
    """The test that prints such a record, if its name says so."""
    kind, name = record["kind"], str(record.get("name", ""))
    told = {"relacy": name, "explorer": f"explorer.{name}", "spin": f"spin.{name}", "fuzz": f"{name}_libfuzzer",
            "edge": name if record.get("checker") == "relacy" else f"explorer.{name}"}
    if kind not in told or kind == "explorer" and "." not in name:
        raise BadRecord(f"which test told of `{name}`? Run it by ctest, or log what ctest -V says: {json.dumps(record)}")
    return told[kind]


def day_of(path):
    return datetime.date.fromtimestamp(Path(path).stat().st_mtime).isoformat()


def tests_in(text):
    """Of ctest's LastTest.log."""
    # "Test Pass Reason": what it printed let it pass, as a skipped test's does.
    passes = ("Test Passed", "Test Pass Reason")
    return tuple(Test(found["name"], found["verdict"].startswith(passes), "[  SKIPPED ]" in found["output"], float(found["seconds"]),
                      records_in(found["output"])) for found in TEST.finditer(text) if found["name"] != CHECK)


def minutes_in(text, year):
    """How long ctest ran, by its log, which names no year: `year` is that in which it ended. None if the log does not tell."""
    times = BETWEEN.search(text)
    if times is None:
        return None
    start, end = (in_year(year, time) for time in times.groups())
    if start > end:
        start = in_year(year - 1, times[1])
    return int((end - start).total_seconds()) // 60


def in_year(year, time):
    return datetime.datetime.strptime(f"{year} {time}", "%Y %b %d %H:%M")


def suite_in(folder):
    """What the last run of ctest in a build folder left there, or None if there was none."""
    log, cache = Path(folder) / "Testing" / "Temporary" / "LastTest.log", Path(folder) / "CMakeCache.txt"
    if not log.is_file() or not cache.is_file():
        return None
    settings = dict(CACHED.findall(cache.read_text(encoding="utf-8")))
    text, day = log.read_text(encoding="utf-8", errors="replace"), day_of(log)
    return Suite(Path(folder).name, settings.get("CMAKE_CXX_COMPILER", "?"), settings.get("FILCH_SANITIZE", ""), day,
                 minutes_in(text, int(day[:4])), tests_in(text))
