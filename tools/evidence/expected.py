"""What the tree has that the page must tell of: read from the sources, by name, without building anything."""

import re
from dataclasses import dataclass

from checks import edges  # tidy's, so that one piece of code finds the declared edges
from catalogue import GTEST, plain_name
from lines import mark_of
from records import VERDICTS

# What shows that a passage of a test's source prints evidence of a kind. A test that calls such a function prints it, too.
TELLERS = {"model": r"\bholds\s*<", "schedule": r"\bexpect_no_failure\s*\(|kind\W+schedule\b", "stress": r"\bprint_stress_evidence\s*\(",
           "explorer": r"\"kind\": \"explorer\"", "random": r"\"kind\": \"random\""}
NAME_OF_PASSAGE = re.compile(r"(?:class|struct)\s+(\w+)|(\w+)\s*\(")
NOT_FOR_RELACY = re.compile(r"^#if !defined\(FILCH_RELACY\).*?^#endif", re.MULTILINE | re.DOTALL)
FUZZERS = re.compile(r"^\s*foreach\((\w+) ([^)]*)\)\s*filch_libfuzzer\(\$\{\1\}|^\s*filch_libfuzzer\((\w+) SOURCES", re.MULTILINE)
BY_ONE_CHECKER = {"WITNESS_BY_RELACY": "", "WITNESS_BY_EXPLORER": "explorer."}


@dataclass(frozen=True)
class Expected:
    tests: dict         # kind -> the tests that tell of it, as ctest calls them but for their parameters
    verdicts: dict      # (kind, name) -> the test that a mutant or variant is tried on
    declared: frozenset  # every test, whatever it tells

    def missing(self, kept):
        """(kind, name) of what the tree has and no record tells of."""
        told = {(record["kind"], test_name(record["ctest"])) for record in kept.all() if "ctest" in record}
        wanted = {(kind, test) for kind, tests in self.tests.items() for test in tests}
        given = {(record["kind"], record["name"]) for record in kept.all() if record["kind"] in VERDICTS and not self.is_gone(record)}
        return sorted((wanted - told) | (self.verdicts.keys() - given))

    def is_gone(self, record):
        """Whether a record tells of something that the tree no longer has, or of a mutant that is tried on another test now."""
        if record["kind"] in VERDICTS:
            test = self.verdicts.get((record["kind"], record["name"]))
            return test is None or record["test"] not in (test, mark_of(test))
        return record["kind"] != "suite" and test_name(record["ctest"]) not in self.declared


def expected(tree, mutants, spin_cases):
    """`spin_cases`: title -> whether a mistake is put in."""
    tests = {"relacy": set(), "explorer": set(), "edge": edge_tests(tree), "schedule": set(), "stress": set(), "random": set(), "fuzz": fuzzers(tree),
             "spin": {f"spin.{title}" for title, is_mutant in spin_cases.items() if not is_mutant}}
    declared = set()
    for file in tree.cpp_files:
        if file.is_test and file.pure.suffix == ".cpp":
            declared |= declared_in(file)
            for kind, pattern in TELLERS.items():
                if kind != "model":
                    tests[kind] |= tests_that_say(pattern, file.lexed.uncommented)
            if file.pure.stem.endswith("_model"):
                tests["explorer"] |= {f"explorer.{test}" for test in tests_that_say(TELLERS["model"], file.lexed.uncommented)}
                tests["relacy"] |= tests_that_say(TELLERS["model"], NOT_FOR_RELACY.sub("", file.lexed.uncommented))
    verdicts = {(mutant.kind, mutant.name): mutant.test or mutant.target for mutant in mutants}
    verdicts |= {("mutant", title): f"spin.{title}" for title, is_mutant in spin_cases.items() if is_mutant}
    return Expected(tests, verdicts, frozenset(declared.union(*tests.values())))


def test_name(ctest):
    """As the sources have it, without parameters."""
    return plain_name(ctest) if "." in ctest else ctest


def declared_in(file):
    names = {f"{suite}.{name}" for suite, name in GTEST.findall(file.text)}
    return names | {f"explorer.{name}" for name in names} if file.pure.stem.endswith("_model") else names


def passages(text):
    """A file cut where a line begins at the margin."""
    return re.split(r"^(?=[^\s}#)])", text, flags=re.MULTILINE)


def tests_that_say(pattern, text):
    """The tests whose text has the pattern, or the name of a function or class of the file that has it."""
    silent, found, patterns = passages(text), set(), [pattern]
    while patterns:
        says = re.compile(patterns.pop())
        telling = [passage for passage in silent if says.search(passage)]
        silent = [passage for passage in silent if not says.search(passage)]
        for passage in telling:
            if test := GTEST.match(passage):
                found.add(f"{test[1]}.{test[2]}")
            elif name := NAME_OF_PASSAGE.search(passage):
                patterns.append(rf"\b{name[1] or name[2]}\b")
    return found


def edge_tests(tree):
    """The tests of every named edge of the library: each witness, and each excuse that is a test as well, by both checkers."""
    known, found = edges.Edges(tree), set()
    for file in tree.cpp_files:
        if file.in_library and file.pure.stem.endswith("_model"):
            for witness in edges.WITNESS.finditer(file.lexed.uncommented):
                if known.meant(file, witness):
                    seen_by = BY_ONE_CHECKER.get(witness[0].partition("(")[0].strip())
                    found |= {f"{checker}{file.pure.stem}.{'witness' if seen_by in (None, checker) else 'no_witness'}_of_{witness['name']}"
                              for checker in ("", "explorer.")}
            for excuse in edges.NO_WITNESS.finditer(file.lexed.uncommented):
                found |= {f"{checker}{file.pure.stem}.no_witness_of_{excuse['name']}" for checker in ("", "explorer.")}
    return found


def fuzzers(tree):
    found = set()
    for file in tree.files.values():
        if file.pure.name == "CMakeLists.txt":
            for _, several, one in FUZZERS.findall(file.text):
                found |= {f"{name}_libfuzzer" for name in several.split() or [one]}
    return found
