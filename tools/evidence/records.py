"""What test programs said: lines `evidence: {json}`, and ctest's own account of which tests ran."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

LINE = re.compile(r"^(?:\d+: )?evidence: (\{.*\})\s*$", re.MULTILINE)
TEST = re.compile(r"^\d+/\d+ Testing: (?P<name>\S+)\n.*?^Output:\n-+\n(?P<output>.*?)^<end of output>\nTest time =\s*(?P<seconds>[\d.]+) sec\n-+\n"
                  r"(?P<verdict>Test [^\n]*)", re.MULTILINE | re.DOTALL)
CACHED = re.compile(r"^(\w+):\w+=(.*)$", re.MULTILINE)


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


@dataclass(frozen=True)
class Suite:
    """One run of ctest in one build folder."""
    preset: str
    compiler: str
    sanitizers: str
    tests: tuple

    def passed(self):
        return sum(test.passed and not test.skipped for test in self.tests)

    def skipped(self):
        return sum(test.passed and test.skipped for test in self.tests)

    def failed(self):
        return [test.name for test in self.tests if not test.passed]

    def seconds(self):
        return sum(test.seconds for test in self.tests)

    def records(self):
        """What a failed test counted is no evidence; but each mutant and variant has a verdict of its own."""
        for test in self.tests:
            yield from ({**record, "ctest": test.name} for record in test.records if test.passed or record["kind"] in VERDICTS)


@dataclass(frozen=True)
class Kept:
    """The log of a run that takes too long to be repeated for each page. Its first line says of what, where and when."""
    name: str
    about: str
    records: tuple


@dataclass
class Evidence:
    """Everything that a page is made from."""
    suites: list = field(default_factory=list)
    loose: list = field(default_factory=list)  # from programs that ctest does not run
    kept: list = field(default_factory=list)

    def of(self, kind):
        """The records of a kind, by name: of several runs of the same thing the one that saw most, of a verdict the last."""
        best = {}
        for record in self.all():
            if record["kind"] == kind:
                key = str(record.get("name", record.get("edge", "")))
                if key not in best or kind in VERDICTS or size(record) >= size(best[key]):
                    best[key] = record
        return [best[key] for key in sorted(best)]

    def all(self):
        for log in self.kept:  # first: whatever has run since knows better
            yield from log.records
        for suite in self.suites:
            yield from suite.records()
        yield from self.loose


def size(record):
    return sum(value for value in record.values() if isinstance(value, (int, float)) and not isinstance(value, bool))


def records_in(text):
    found = []
    for line in LINE.findall(text):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise BadRecord(f"not JSON ({error}): {line}") from None
        if not isinstance(record.get("kind"), str):
            raise BadRecord(f"says no kind: {line}")
        found.append(record)
    return tuple(found)


def kept_in(log, mutants):
    """`mutants`: kind and name -> test. A verdict counts while the catalogue has the mutant with that test; those of models (`spin.`) are in none."""
    text = log.read_text(encoding="utf-8", errors="replace")
    about = text.partition("\n")[0]
    if not about.startswith("# "):
        raise BadRecord(f"{log}: the first line of a kept log says, after `# `, of what run it is")
    return Kept(log.name, about[2:], tuple(record for record in records_in(text) if record["kind"] not in VERDICTS or
                                           mutants.get((record["kind"], record["name"])) == record["test"] or record["test"].startswith("spin.")))


def tests_in(text):
    """Of ctest's LastTest.log."""
    # "Test Pass Reason": what it printed let it pass, as a skipped test's does.
    passes = ("Test Passed", "Test Pass Reason")
    return tuple(Test(found["name"], found["verdict"].startswith(passes), "[  SKIPPED ]" in found["output"], float(found["seconds"]),
                      records_in(found["output"])) for found in TEST.finditer(text))


def suite_in(folder):
    """What the last run of ctest in a build folder left there, or None where there was none."""
    log, cache = Path(folder) / "Testing" / "Temporary" / "LastTest.log", Path(folder) / "CMakeCache.txt"
    if not log.is_file() or not cache.is_file():
        return None
    settings = dict(CACHED.findall(cache.read_text(encoding="utf-8")))
    return Suite(Path(folder).name, settings.get("CMAKE_CXX_COMPILER", "?"), settings.get("FILCH_SANITIZE", ""),
                 tests_in(log.read_text(encoding="utf-8", errors="replace")))
