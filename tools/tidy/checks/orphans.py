"""Every source file is built, every header of the library is reached by a test, and what is declared is used."""

import re
from collections import Counter

from cpp import WORD, declared_names

BUILT_SUFFIXES = {".cpp", ".cc", ".c"}
CMAKE_WORD = re.compile(r"[\w./+$<>{}:*-]+")
VARIABLE = re.compile(r"\$\{\w+\}|\*")


def check(tree, report):
    check_built(tree, report)
    check_tested(tree, report)
    check_used(tree, report)


def check_built(tree, report):
    words_of = {file.path: set(CMAKE_WORD.findall(re.sub(r"#[^\n]*", "",
                                                         file.text))) for file in tree.files.values() if file.is_cmake}
    for file in tree.cpp_files:
        if file.pure.suffix in BUILT_SUFFIXES and not is_named(file, words_of):
            report.find(file.path, 1, "no CMakeLists.txt builds this file.", "add it to a target of its folder, or delete it.")


def is_named(file, words_of):
    """Named by the CMakeLists.txt of its folder or one above: its name, its stem for a function to complete, or a pattern."""
    for folder in file.pure.parents:
        words = words_of.get(str(folder / "CMakeLists.txt") if str(folder) != "." else "CMakeLists.txt", ())
        for word in words:
            name = word.rpartition("/")[2]
            if name in (file.pure.name, file.pure.stem) or VARIABLE.search(name) and matches(name, file.pure.name):
                return True
    return False


def matches(pattern, name):
    """`*.cpp` and `${x}_test.cpp` name files; `${x}.cpp` alone does not, since it could be any."""
    literal = VARIABLE.sub("", pattern)
    if not literal.endswith(tuple(BUILT_SUFFIXES)) or (literal in BUILT_SUFFIXES and "$" in pattern):
        return False
    return re.fullmatch(VARIABLE.sub(".*", re.sub(r"([.+])", r"\\\1", pattern)), name) is not None


def check_tested(tree, report):
    """A test reaches what it includes, and what the source file beside an included header includes to do its work."""
    reached, waiting = set(), [file for file in tree.cpp_files if file.is_test or file.room == "tests"]
    while waiting:
        file = waiting.pop()
        paths = [tree.resolve_include(file, header, is_quoted) for _, header, is_quoted in file.includes]
        for path in [*paths, str(file.pure.with_suffix(".cpp"))]:
            if path in tree.files and path not in reached:
                reached.add(path)
                waiting.append(tree.files[path])
    for file in tree.cpp_files:
        if file.in_library and file.pure.suffix == ".hpp" and not file.is_test and file.path not in reached:
            report.find(file.path, 1, "no test reaches this header, directly or through what it tests.",
                        "write its test beside it, or delete it.")


def check_used(tree, report):
    """A name that stands once in all the code is declared and never used."""
    count = Counter(word for file in tree.files.values() if file.is_cpp for word in WORD.findall(file.code))
    foreign = {name for _, line in tree.data("foreign.txt") for name in line.split()}
    for file in tree.cpp_files:
        if (file.in_library or file.room == "compare") and not file.is_test:
            for line, name in declared_names(file.code):
                if count[name] == 1 and name not in foreign:
                    report.find(file.path, line, f"`{name}` is declared and never used, not even by a test.",
                                "delete it, or test it.")
