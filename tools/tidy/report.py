"""What a run found, and the lines that are excused."""

import re
from dataclasses import asdict, dataclass

from markdown import without_code

EXCUSE = r"\s*tidy:\s*([a-z]+)\b[ \t]*(.*?)\s*"
EXCUSE_AS = {"cpp": re.compile(rf"//{EXCUSE}$"), "cmake": re.compile(rf"#{EXCUSE}$"),
             "markdown": re.compile(rf"<!--{EXCUSE}-->")}


@dataclass
class Finding:
    check: str
    path: str
    line: int
    message: str
    instead: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.check}: {self.message} Instead: {self.instead}"


@dataclass
class Excuse:
    check: str
    path: str
    line: int
    covered: range  # the lines it excuses
    reason: str
    is_used: bool = False


def excuses_of(file):
    """`// tidy: <check> <reason>` covers its own line; alone on its line, the next one too."""
    pattern = EXCUSE_AS.get("cpp" if file.is_cpp else "cmake" if file.is_cmake else "markdown" if file.is_markdown else "")
    if pattern is None or "tidy:" not in file.text:
        return
    text = without_code(file.text) if file.is_markdown else file.text
    lines = list(enumerate(text.splitlines(), 1))
    if file.is_cpp:
        real = {comment.line for comment in file.lexed.comments}  # not what a string holds
        lines = [(number, line) for number, line in lines if number in real]
    for number, line in lines:
        if match := pattern.search(line):
            stands_alone = not line[:match.start()].strip()
            yield Excuse(match[1], file.path, number, range(number, number + 1 + stands_alone), match[2])


class Report:
    """Collects findings; one report serves one run over one tree."""

    def __init__(self, tree, known_checks, chosen_checks):
        self.findings, self.notes = [], []
        self.chosen = set(chosen_checks)
        self.excuses = [excuse for file in tree.files.values() for excuse in excuses_of(file)]
        self.current = "excuses"
        for excuse in self.excuses:
            if excuse.check not in known_checks:
                self.find(excuse.path, excuse.line, f"there is no check called `{excuse.check}`.",
                          f"name one of {', '.join(known_checks)}.")

    def find(self, path, line, message, instead):
        for excuse in self.excuses:
            if excuse.check == self.current and excuse.path == path and line in excuse.covered:
                excuse.is_used = True
                return
        self.findings.append(Finding(self.current, path, line, message, instead))

    def note(self, text):
        self.notes.append(f"{self.current}: {text}")

    def run(self, name, check, tree):
        self.current = name
        check(tree, self)

    def judge_excuses(self):
        """An excuse must say why, and must still excuse something."""
        self.current = "excuses"
        for excuse in self.excuses:
            if excuse.check not in self.chosen:
                continue
            if not excuse.reason:
                self.find(excuse.path, excuse.line, "an excuse without a reason.",
                          f"// tidy: {excuse.check} <why this line is right>")
            elif not excuse.is_used:
                self.find(excuse.path, excuse.line, f"this excuses nothing that `{excuse.check}` finds.", "delete the excuse.")

    @property
    def excuse_count(self):
        return sum(excuse.is_used for excuse in self.excuses)

    def as_json(self):
        return {"findings": [asdict(finding) for finding in self.findings],
                "excuses": [{"check": e.check, "path": e.path, "line": e.line,
                             "reason": e.reason} for e in self.excuses if e.is_used],
                "notes": self.notes}
