#!/usr/bin/env python3
"""Checks the source tree against the house rules that a script can judge. See README.md beside this file."""

import argparse
import json
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from checks import CHECKS  # noqa: E402
from report import Report  # noqa: E402
from tree import Tree  # noqa: E402


def run_checks(tree, names=tuple(CHECKS)):
    report = Report(tree, known_checks=tuple(CHECKS), chosen_checks=names)
    for name in names:
        report.run(name, CHECKS[name].check, tree)
    report.judge_excuses()
    report.findings.sort(key=lambda finding: (finding.path, finding.line, finding.check))
    return report


def print_report(report, names, file_count):
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    bold, red, plain = ("\033[1m", "\033[31m", "\033[0m") if colour else ("", "", "")
    for finding in report.findings:
        print(f"{bold}{finding.path}:{finding.line}:{plain} {red}{finding.check}:{plain} {finding.message}")
        print(f"    Instead: {finding.instead}")
    for note in report.notes:
        print(note)
    print(f"tidy: {len(names)} checks, {file_count} files, {len(report.findings)} findings, {report.excuse_count} excuses")


def arguments(argv):
    parser = argparse.ArgumentParser(prog="tidy.py", description=__doc__, epilog="Exit code: 0 clean, 1 findings, 2 misuse.")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"which checks to run (default: all): {', '.join(CHECKS)}")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2], help="the tree to check")
    parser.add_argument("--json", action="store_true", help="print findings, excuses and notes as JSON")
    parser.add_argument("--fix", action="store_true", help="first copy the examples of the docs anew, and lower what prose.txt allows")
    chosen = parser.parse_args(argv)
    unknown = [name for name in chosen.checks if name not in CHECKS]
    if unknown:
        parser.error(f"no check called {', '.join(unknown)}; there are {', '.join(CHECKS)}")
    if not chosen.root.is_dir():
        parser.error(f"--root {chosen.root} is not a folder")
    return chosen


def main(argv=None):
    chosen = arguments(argv)
    names = tuple(dict.fromkeys(chosen.checks)) or tuple(CHECKS)
    tree = Tree.read(chosen.root)
    if chosen.fix:
        for name in ("examples", "prose"):
            for path, text in CHECKS[name].fixed(tree):
                Path(chosen.root, path).write_text(text, encoding="utf-8")
                print(f"fixed {path}")
        tree = Tree.read(chosen.root)
    report = run_checks(tree, names)
    if chosen.json:
        print(json.dumps(report.as_json(), indent=2))
    else:
        print_report(report, names, len(tree.files))
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
