#!/usr/bin/env python3
"""What the shared library exports, compared with exported.txt beside this file, and with what programs need.

exported.py LIBRARY [OBJECT...]          compares; each OBJECT is of a program that uses the library
exported.py LIBRARY [OBJECT...] --write  writes the list anew

LIBRARY is the static library, whose objects also make the shared one."""

import argparse
import difflib
import re
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_name("exported.txt")
HEAD = ("# What libfilch.so exports, as g++ 12 compiles it. A row that goes or changes breaks programs that are linked with this\n"
        "# version. Written by tests/abi/exported.py --write, compared by the test `abi.exported`.\n")
SYMBOL = re.compile(r"\s*\d+: \w+\s+\w+\s+\w+\s+(GLOBAL|WEAK|UNIQUE)\s+(\w+)\s+(?:\[[^\]]*\]\s+)?(\w+)\s+(\S+)$")
# A symbol of the library itself, not of a template of the standard library for a type of ours.
OURS = re.compile(r"_Z(?:T[VISTHW]|GV)?N?K?5filch|_ZN?K?N5filch|filch_")


def symbols(files):
    """Yields each global symbol: its visibility, whether it is defined, its name."""
    said = subprocess.run(["readelf", "--symbols", "--wide", *files], capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        if found := SYMBOL.match(line):
            yield found[2], found[3] != "UND", found[4]


def demangled(names):
    said = subprocess.run(["c++filt"], input="\n".join(sorted(names)), capture_output=True, text=True, check=True).stdout
    return dict(zip(sorted(names), said.splitlines()))


def exported_of(library):
    return {name for visibility, is_defined, name in symbols([library])
            if is_defined and visibility == "DEFAULT" and OURS.match(name)}


def needed_by(objects, library):
    """What the objects use and only the library defines."""
    defined = {name for _, is_defined, name in symbols([library]) if is_defined}
    used, own = set(), set()
    for _, is_defined, name in symbols(objects) if objects else ():
        (own if is_defined else used).add(name)
    return (used - own) & defined & {name for name in used if OURS.match(name)}


def lines_of(names):
    return sorted(set(demangled(names).values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("objects", nargs="*")
    parser.add_argument("--write", action="store_true", help="write the list anew")
    options = parser.parse_args()
    exported = exported_of(options.library)
    missing = lines_of(needed_by(options.objects, options.library) - exported)
    for line in missing:
        print(f"a program needs `{line}`, which a shared library hides: mark its declaration with FILCH_EXPORT")
    found = HEAD + "".join(line + "\n" for line in lines_of(exported))
    if options.write:
        LIST.write_text(found, encoding="utf-8")
    before = LIST.read_text(encoding="utf-8") if LIST.exists() else ""
    changes = list(difflib.unified_diff(before.splitlines(), found.splitlines(), "exported.txt", "the library", lineterm="", n=0))
    print("\n".join(changes))
    if changes:
        print("If that is meant: tests/abi/exported.py LIBRARY --write, and a row in CHANGELOG.md if a program can notice.")
    print(f"{len(exported)} symbols exported, {len(options.objects)} objects of programs, {len(missing)} symbols missing")
    return 1 if missing or changes else 0


if __name__ == "__main__":
    sys.exit(main())
