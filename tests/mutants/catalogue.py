"""The mutants and the hazards as data, and whether they still fit the tree they speak of."""

import functools
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
HAZARD_COUNT = 72
FIELDS = {"file", "target", "test", "text", "env", "timeout", "hang", "flags", "name", "hazards", "claim", "passage", "replacement",
          "equivalent", "variant"}


COMMENT = r"//[^\n]*"


def without_layout(passage):
    """A regular expression that finds `passage` however its lines are broken and commented."""
    tokens = re.findall(r"\w+|[^\w\s]", re.sub(COMMENT, "", passage))
    return rf"(?:\s|{COMMENT}\n)*".join(map(re.escape, tokens))


class BadCatalogue(Exception):
    """An entry that says too little, or that the tree has left behind."""


@dataclass(frozen=True)
class Mutant:
    """One mistake: a passage of a shipped file, what stands there instead, and the test that must notice."""
    room: str                # the data file it stands in
    name: str
    claim: str               # what is wrong now, in a sentence
    file: str
    passage: str             # stands exactly once in `file`, whatever its lines and comments
    replacement: str
    target: str              # the test program
    test: str = ""           # a --gtest_filter; empty for a program that is one test
    hazards: tuple = ()      # numbers in hazards.toml
    text: str = ""           # a regular expression that the failing test's output matches
    env: dict = field(default_factory=dict)
    timeout: int = 60        # seconds
    hang: bool = False       # the mistake shows in a test that never ends
    flags: tuple = ("-O0", "-g0")
    equivalent: str = ""     # why no test can notice; then the test must pass
    variant: str = ""        # no mistake but another choice, and why it may be made; the test must pass

    @property
    def kind(self):
        return "variant" if self.variant else "mutant"

    def text_of(self, root):
        return (Path(root) / self.file).read_text(encoding="utf-8")

    def mutate(self, text):
        found = list(re.finditer(without_layout(self.passage), text)) if self.passage.strip() else []
        if len(found) != 1:
            raise BadCatalogue(f"{self.room}.toml: {self.name}: its passage stands {len(found)} times "
                               f"in {self.file}, not once:\n{self.passage}")
        return text[:found[0].start()] + self.replacement.strip() + text[found[0].end():]

    def test_names(self):
        return [plain_name(part) for part in self.test.split(":") if part]


@dataclass(frozen=True)
class Hazard:
    """A bug that other projects had: the tests that would catch it here, or why it cannot happen here (yet)."""
    number: int
    hazard: str
    tests: tuple = ()
    absent: str = ""  # why it cannot occur
    later: str = ""   # the planned room it belongs to

    def answer(self):
        if self.later:
            return f"not yet: room {self.later}"
        return self.absent or ", ".join(f"`{name}`" for name in self.tests)


def plain_name(test):
    """`workers/join_on.takes_plain_functions/0`, or with asterisks for the ends, is the source's `join_on.takes_plain_functions`."""
    suite, _, name = test.partition(".")
    suite = re.sub(r"/\d+$", "", suite)  # the number of a type
    return f"{suite.rpartition('/')[2].lstrip('*')}.{name.partition('/')[0] or name}"


def mutants_in(room, text):
    """Of one data file: groups, whose settings their mutants inherit."""
    for group in tomllib.loads(text).get("group", []):
        shared = {key: value for key, value in group.items() if key != "mutant"}
        for entry in group.get("mutant", []):
            yield checked_mutant(room, shared | entry)


def checked_mutant(room, entry):
    name = entry.get("name", "?")
    for key in entry.keys() - FIELDS:
        raise BadCatalogue(f"{room}.toml: {name}: there is no field `{key}`; fields are {', '.join(sorted(FIELDS))}")
    for key in ("name", "claim", "file", "passage", "replacement", "target"):
        if key not in entry:
            raise BadCatalogue(f"{room}.toml: {name}: `{key}` is missing")
    for number in entry.get("hazards", ()):
        if not 1 <= number <= HAZARD_COUNT:
            raise BadCatalogue(f"{room}.toml: {name}: there is no hazard {number}")
    if "variant" in entry and entry.keys() & {"equivalent", "hazards", "hang"}:
        raise BadCatalogue(f"{room}.toml: {name}: a variant is no mistake; it has no `equivalent`, `hazards` or `hang`")
    return Mutant(room, **{key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()})


def load_mutants(folder=FOLDER / "data"):
    found = [mutant for path in sorted(folder.glob("*.toml")) for mutant in mutants_in(path.stem, path.read_text(encoding="utf-8"))]
    names = [mutant.name for mutant in found]
    for name in {name for name in names if names.count(name) > 1}:
        raise BadCatalogue(f"two mutants are called {name}")
    return found


def load_hazards(path=FOLDER / "hazards.toml"):
    hazards = [Hazard(**{key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()})
               for entry in tomllib.loads(path.read_text(encoding="utf-8"))["hazards"]]
    if [hazard.number for hazard in hazards] != list(range(1, HAZARD_COUNT + 1)):
        raise BadCatalogue(f"hazards.toml: the hazards are not numbered 1 to {HAZARD_COUNT}")
    for hazard in hazards:
        if sum(map(bool, (hazard.tests, hazard.absent, hazard.later))) != 1:
            raise BadCatalogue(f"hazards.toml: {hazard.number}: give one of `tests`, `absent` and `later`")
    return hazards


QUICK_OF_A_ROOM = 3


def quick(mutants):
    """Of each room the first few of which no two have one file or one test program; and two variants, as each takes the time of a whole stress test."""
    chosen, taken = [], set()
    for mutant in mutants:
        marks = {mutant.file, mutant.target}
        has_room = sum(other.room == mutant.room for other in chosen) < QUICK_OF_A_ROOM
        if has_room and not mutant.variant and taken.isdisjoint(marks):
            chosen.append(mutant)
            taken |= marks
    return [*chosen, *[mutant for mutant in mutants if mutant.variant][:2]]


# ---------------------------------------------------------------------------------------------------------- what the tree has
GTEST = re.compile(r"^\s*(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
CMAKE_TEST = re.compile(r"add_test\(NAME\s+([\w.]+)")
MUST_NOT_COMPILE = re.compile(r"^filch_must_not_compile\((\w+)\)", re.MULTILINE)
PYTHON_TEST = re.compile(r"^ +def (test_\w+)\(", re.MULTILINE)


@functools.cache
def tests_of(root):
    """Every test that the sources declare, by the name that ctest or the test's own program gives it; and each suite's asterisk."""
    found = set()
    for path in sources(Path(root)):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".cpp":
            found |= {f"{suite}.{each}" for suite, name in GTEST.findall(text) for each in (name, "*")}
        elif path.suffix == ".py":
            found |= {f"{path.stem}.{name}" for name in PYTHON_TEST.findall(text)}
        else:
            found |= set(CMAKE_TEST.findall(text)) | {f"must_not_compile.{case}" for case in MUST_NOT_COMPILE.findall(text)}
    return frozenset(found)


def sources(root):
    for top in ("filch", "tests", "tools", "compare", "bench"):
        for pattern in ("*.cpp", "*_test.py", "CMakeLists.txt"):
            yield from sorted((root / top).rglob(pattern))


def misfits(root, mutants, hazards):
    """What is wrong with the catalogue, a sentence each; nothing if it fits the tree."""
    known = tests_of(root)
    for mutant in mutants:
        try:
            mutant.mutate(mutant.text_of(root))
        except (BadCatalogue, OSError) as error:
            yield str(error)
        for name in mutant.test_names():
            if name not in known:
                yield f"{mutant.room}.toml: {mutant.name}: there is no test {name}"
    for hazard in hazards:
        for name in hazard.tests:
            if name not in known:
                yield f"hazards.toml: {hazard.number}: there is no test {name}"
        if hazard.later and (Path(root) / "filch" / hazard.later).is_dir():
            yield f"hazards.toml: {hazard.number}: room {hazard.later} is there; name the tests, or say why it cannot occur"
        yield from unshown(hazard, mutants)


def unshown(hazard, mutants):
    """A test that is only said to catch a hazard may do nothing: one of those named kills a mutant that puts the hazard back."""
    back = [mutant for mutant in mutants if hazard.number in mutant.hazards and not mutant.equivalent]
    killers = {name for mutant in back for name in mutant.test_names() or [mutant.target]}
    if hazard.tests and not back:
        yield f"hazards.toml: {hazard.number}: no mutant puts it back; write one, or say why it cannot occur"
    elif hazard.tests and killers.isdisjoint(hazard.tests):
        yield (f"hazards.toml: {hazard.number}: {', '.join(mutant.name for mutant in back)} put it back, and none of the tests that "
               f"kill them is named; name one of {', '.join(sorted(killers))}")
