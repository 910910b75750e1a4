#!/usr/bin/env python3
"""The public names of filch: what a user can name after including filch/*.hpp. See README.md beside this file."""

import argparse
import difflib
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

import module  # noqa: E402

# Namespaces all of whose names are public. Those of the rooms (filch::sched, filch::algo, ...) are not.
PUBLIC = {"filch", "filch::analysis", "filch::this_task", "filch::views"}
# Rooms that hold user names beside internals: public is what a header declares that a door includes directly, and ALSO.
MIXED = {"filch::co", "filch::dist", "filch::io", "filch::testing", "filch::trace"}
ALSO = {"filch::co::cancelled", "filch::testing::options", "filch::testing::strategy"}

# A header that several doors reach belongs to the first of these; to one that includes it directly before all others.
ORDER = ("fork.hpp", "algo.hpp", "co.hpp", "sync.hpp", "timers.hpp", "metrics.hpp", "trace.hpp", "analyze.hpp", "stop.hpp",
         "starvation.hpp", "io.hpp", "dist.hpp", "testing.hpp")
EVERYTHING = "filch.hpp"  # includes other doors, and gives no name of its own
NEEDS_ASIO = "io.hpp"

COMPILERS = ("clang++-14", "clang++-19", "clang++")
SKIPPED = 77  # for ctest
HEAD = ("# The public names of filch, what each is, and the header or headers that give it.\n"
        "# Written by tools/names/names.py --write, compared by the test `names`.\n")

KINDS = {"CXXRecordDecl": "class", "ClassTemplateDecl": "class", "EnumDecl": "enum", "FunctionDecl": "function",
         "FunctionTemplateDecl": "function", "VarDecl": "constant", "VarTemplateDecl": "constant", "TypeAliasDecl": "alias",
         "TypedefDecl": "alias", "TypeAliasTemplateDecl": "alias", "ConceptDecl": "concept", "UsingDecl": "alias",
         "NamespaceAliasDecl": "alias"}
# A line of clang's dump: its depth in the tree, the kind of node, the rest.
NODE = re.compile(r"((?:[| ] )*[|`]-)?([A-Z]\w+) 0x[0-9a-f]+ (.*)")
# A place in a file: clang leaves out the file and the line that are those of the place before.
PLACE = re.compile(r"[<, ](?:col|((?:\.|\w|/)[^\s<>,:]*):(\d+)):\d+")
# Where a declaration stands, where its name stands, marks, the name. What has another parent is a member of that.
DECLARED = re.compile(r"(?:prev 0x\w+ )?<.*?>(?: (?:[^\s<>]*:\d+|<[^>]*>))? "
                      r"(?:(?:implicit|used|referenced|constexpr|invalid|class|struct|union) )*((?!(?:col|line):\d)[A-Za-z_][\w:]*)(?= |$)")


class Declared(NamedTuple):
    namespace: str
    kind: str
    name: str
    file: str
    is_definition: bool = False  # of a class
    line: int = 0  # the first one, without what stands above it: comments, attributes
    is_deprecated: bool = False


def declarations(dump):
    """Yields what clang's text dump declares in namespaces."""
    file, at, namespaces = "", 0, []
    last, of_last = None, 0  # the last one, and the depth of its attributes, which follow it
    for line in dump:
        first = 0
        for place in PLACE.finditer(line.split("'")[0].split(" Text=")[0]):
            if place[1] and place[1] != "line":
                file = place[1].removeprefix("./")
            at = int(place[2] or at)
            first = first or at
        node = NODE.match(line)
        if not node:
            continue
        depth, kind, rest = len(node[1] or "") // 2, node[2], node[3]
        del namespaces[depth:]
        if last and depth <= len(namespaces):
            yield last
            last = None
        if kind == "NamespaceDecl" and depth == len(namespaces):
            words = rest.split()
            marks = {word for word in words[-2:] if word in ("inline", "nested")}
            while words[-1] in ("inline", "nested"):
                words.pop()
            # An inline namespace is not part of the names that users write
            namespaces.append("" if "inline" in marks else words[-1])
        elif kind in KINDS and depth == len(namespaces) > 0:
            declared = DECLARED.match(rest)
            if declared and declared[1] != "operator" and "<deduction guide" not in rest:
                path = "::".join(part for part in namespaces if part)
                last = Declared(path, KINDS[kind], declared[1].split("::")[-1], file, rest.endswith(" definition"), first)
                of_last = depth + (2 if "Template" in kind else 1)
        elif kind == "DeprecatedAttr" and last and depth == of_last:
            last = last._replace(is_deprecated=True)
    if last:
        yield last


class Doors:
    """Which of filch/*.hpp gives a header."""

    def __init__(self, root):
        self.root = root
        names = sorted(path.name for path in (root / "filch").glob("*.hpp") if path.name != EVERYTHING)
        known = {name: place for place, name in enumerate(ORDER)}
        self.names = sorted(names, key=lambda name: (known.get(name, len(ORDER)), name))
        self.direct = {name: self.includes(f"filch/{name}") for name in self.names}
        self.all = {name: self.reached(f"filch/{name}") for name in self.names}

    def includes(self, header):
        text = (self.root / header).read_text(encoding="utf-8") if (self.root / header).is_file() else ""
        return set(re.findall(r"^#include <(filch/[^>]+)>", text, re.MULTILINE))

    def reached(self, header):
        found, left = {header}, [header]
        while left:
            new = self.includes(left.pop()) - found
            found |= new
            left += new
        return found

    def of(self, header):
        for reach in (self.direct, self.all):
            for name in self.names:
                if header in reach[name] or header == f"filch/{name}":
                    return name
        return None

    def include_directly(self, header):
        return any(header in headers for headers in self.direct.values())


def public_declarations(found, doors):
    """{name: its declarations}, of what `declarations` yields. If a class is defined, its definition alone."""
    public = defaultdict(list)
    for one in found:
        full = f"{one.namespace}::{one.name}"
        if one.namespace in PUBLIC or full in ALSO or (one.namespace in MIXED and doors.include_directly(one.file)):
            public[full].append(one)
    return {full: [one for one in every if one.is_definition] or every for full, every in public.items()}


def public_names(found, doors):
    """Lines `NAME KIND DOOR...`, sorted, of what `declarations` yields."""
    lines = []
    for full, every in public_declarations(found, doors).items():
        of = {doors.of(one.file) for one in every} - {None}
        if of:
            lines.append(" ".join([full, every[0].kind, *sorted(of)]))
    return sorted(lines)


def public_macros(preprocessed, doors):
    """The same for macros FILCH_... of headers that a door includes directly, of what `clang -E -dD` prints."""
    file, found = "", {}
    for line in preprocessed:
        if marker := re.match(r'# \d+ "([^"]*)"', line):
            file = marker[1].removeprefix("./")
        elif macro := re.match(r"#(define|undef) (FILCH_\w+)", line):
            if macro[1] == "define":
                found[macro[2]] = file
            else:
                found.pop(macro[2], None)
    return sorted(f"{name} macro {door}" for name, file in found.items()
                  if doors.include_directly(file) and (door := doors.of(file)))


def run(compiler, root, source, *options):
    done = subprocess.run([compiler, "-std=c++20", "-I", ".", "-w", *options, source], cwd=root, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"names: {compiler} refuses the headers:\n{done.stderr}")
    return done.stdout.splitlines()


def ask(root, compiler, doors, with_asio):
    """What the doors declare, and all macros that they leave, as clang prints both."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "doors.cpp")
        source.write_text("".join(f"#include <filch/{name}>\n" for name in doors.names if with_asio or name != NEEDS_ASIO))
        # Text instead of JSON: a hundredth of the bytes, as the filter leaves out the standard library
        dump = run(compiler, root, source, "-fsyntax-only", "-fno-color-diagnostics", "-Xclang", "-ast-dump", "-Xclang",
                   "-ast-dump-filter=filch")
        macros = run(compiler, root, source, "-E", "-dD")
    return dump, macros


def made(root, compiler, doors, with_asio):
    """The lines of docs/names.txt, and the text of the module."""
    dump, macros = ask(root, compiler, doors, with_asio)
    found = list(declarations(dump))
    names = sorted(public_names(found, doors) + public_macros(macros, doors))
    return names, module.text(public_declarations(found, doors), doors)


def found_compiler(wanted=None):
    return next(filter(None, map(shutil.which, [wanted] if wanted else COMPILERS)), None)


def has_asio(compiler, root):
    done = subprocess.run([compiler, "-std=c++20", "-x", "c++", "-E", "-"], input="#include <asio.hpp>\n", cwd=root,
                          capture_output=True, text=True)
    return done.returncode == 0


def changed_lines(kept, now):
    return [line for line in difflib.unified_diff(kept, now, lineterm="", n=0) if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def difference(kept, now):
    """What a reader of the test's output needs, or an empty list."""
    changes = changed_lines(kept, now)
    if not changes:
        return []
    return ["the public names differ from docs/names.txt (+ new, - gone):", *(f"  {line}" for line in changes),
            "If users are to have them, run tools/names/names.py --write, and say it in CHANGELOG.md. If not, move them",
            "into filch::detail or the namespace of their room."]


def module_difference(root, now):
    """The same for the module."""
    file = root / module.FILE
    changes = changed_lines(file.read_text(encoding="utf-8").splitlines() if file.is_file() else [], now.splitlines())
    if not changes:
        return []
    return [f"{module.FILE} differs from the public names (+ new, - gone); run tools/names/names.py --write:",
            *(f"  {line}" for line in changes)]


def main(argv=None):
    parser = argparse.ArgumentParser(prog="names.py", description=__doc__,
                                     epilog=f"Exit code: 0 equal, 1 different, 2 misuse, {SKIPPED} no clang found.")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help=f"compare with docs/names.txt and {module.FILE}")
    what.add_argument("--write", action="store_true", help="write both")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2], help="the tree to look at")
    parser.add_argument("--compiler", help="a clang++ (default: the first found of " + ", ".join(COMPILERS) + ")")
    chosen = parser.parse_args(argv)

    compiler = found_compiler(chosen.compiler)
    if compiler is None:
        print("names: skipped, as clang++ is not installed")
        return SKIPPED
    doors = Doors(chosen.root)
    with_asio = has_asio(compiler, chosen.root)
    if chosen.write and not with_asio:
        sys.exit("names: install Asio first, or the names of <filch/io.hpp> are lost")
    names, interface = made(chosen.root, compiler, doors, with_asio)
    file = chosen.root / "docs/names.txt"
    if chosen.write:
        file.write_text(HEAD + "".join(f"{line}\n" for line in names), encoding="utf-8")
        (chosen.root / module.FILE).write_text(interface, encoding="utf-8")
        print(f"names: {len(names)} in docs/names.txt, {interface.count('using ')} of them in {module.FILE}")
        return 0
    if not chosen.check:
        print("\n".join(names))
        return 0
    kept = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    if not with_asio:
        kept = [line for line in kept if line.split()[2:] != [NEEDS_ASIO]]
    changes = difference(kept, names) + module_difference(chosen.root, interface)
    print("\n".join(changes) if changes else f"names: {len(names)}, as docs/names.txt and {module.FILE} have them")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
