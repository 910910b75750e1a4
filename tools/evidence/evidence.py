#!/usr/bin/env python3
"""Keeps what the tests counted the last time they ran in docs/evidence.txt, and makes docs/evidence.md of all that is kept there.

With --check it only says what page and tree do not agree in. Exit code: 0 all is well, 1 a test failed or the page is stale, 2 misuse.
"""

import argparse
import datetime
import shlex
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

ROOT = Path(__file__).resolve().parents[2]
# tidy's last: it has a module `report`, as the mutants have.
sys.path += [str(ROOT / folder) for folder in ("bench", "tests/mutants", "filch/sched", "tools/tidy")]

import catalogue  # noqa: E402
import freshness  # noqa: E402
import page  # noqa: E402
import records  # noqa: E402
import spin_check  # noqa: E402
from expected import expected  # noqa: E402
from harness import machine  # noqa: E402
from kept import Kept  # noqa: E402
from lines import condensed  # noqa: E402
from tree import Tree  # noqa: E402

# Everything that yields evidence, in the order in which it runs. An option that ./test does not have is left out.
RUNS = (("--long",), ("--sanitize",), ("--fuzz",))


def parse(arguments):
    sections = [section.kind for section in page.SECTIONS]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; say what the page lacks or shows though it is gone")
    parser.add_argument("--run", action="store_true", help="first run ./test with " + ", ".join(" ".join(run) for run in RUNS) +
                        ", which takes hours; with --only, the command of that kind")
    parser.add_argument("--renew", action="store_true", help="keep what these runs said also where it says no more than what is kept: after whole runs")
    parser.add_argument("--only", metavar="KIND", choices=sections, help="print the table of one kind and write nothing: " + ", ".join(sections))
    parser.add_argument("--build", metavar="FOLDER", type=Path, action="append",
                        help="a build folder whose last run of ctest counts; all in build/ if none is named")
    parser.add_argument("--log", metavar="FILE", action="append", default=[],
                        help="further output with lines of evidence, or what mutants.py --json wrote; - is standard input")
    parser.add_argument("--kept", metavar="FILE", type=Path, default=ROOT / "docs" / "evidence.txt", help="the records kept (%(default)s)")
    parser.add_argument("--output", metavar="FILE", type=Path, default=ROOT / "docs" / "evidence.md", help="the page (%(default)s)")
    parser.add_argument("--tables", metavar="FILE", type=Path, help="also write a table of all that these runs said")
    return parser.parse_args(arguments)


def run_test(arguments):
    subprocess.run([ROOT / "test", *arguments], cwd=ROOT, check=False)  # what fails is in ctest's log


def run_what_is_wanted(options):
    if not options.run:
        return
    if options.only is not None:
        run_test(shlex.split(page.section_of(options.only).command)[1:])
        return
    known = subprocess.run([ROOT / "test", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    for run in RUNS:
        if run[0] in known:
            run_test(run)


def suites_of(options):
    folders = options.build or sorted(path.parent for path in (ROOT / "build").glob("*/CMakeCache.txt"))
    for folder in options.build or ():
        if records.suite_in(folder) is None:
            raise records.BadRecord(f"{folder}: no run of ctest is there, or it is no build folder")
    return [suite for suite in map(records.suite_in, folders) if suite is not None and suite.tests]


def facts_of(suite):
    here = machine.facts({}, ROOT)
    return {"compiler": machine.first_line(suite.compiler, "--version") or suite.compiler,
            **{field: here[field] for field in ("processor", "cores", "system", "kernel")}}


def loose_records(logs):
    for log in logs:
        if log == "-":
            yield from records.loose_in(sys.stdin.read(), datetime.date.today().isoformat())
        else:
            yield from records.loose_in(Path(log).read_text(encoding="utf-8", errors="replace"), records.day_of(log))


def what_the_tree_has():
    spin_cases = {title: bool(case.claim) for title, case in spin_check.CASES.items()}
    return expected(Tree.read(ROOT), catalogue.load_mutants(), spin_cases)


def take_in(kept, suites, loose, has, renew):
    """Takes what has run into what is kept, without what is gone. Returns what has changed, in words."""
    before = dict(kept.by_key)
    wholes = [suite.record(facts_of(suite)) for suite in suites] if renew else []
    kept.take([*(record for suite in suites for record in condensed(suite.records())), *condensed(loose), *wholes], renew)
    kept.drop(has.is_gone)
    after = kept.by_key
    changed = sum(before[key] != after[key] for key in before.keys() & after.keys())
    return f"{len(after)} records: {len(after.keys() - before.keys())} new, {changed} changed, {len(before.keys() - after.keys())} gone"


def in_full(suites, loose):
    """All that these runs said, as the tables show it."""
    told = Kept()
    told.take([*(record for suite in suites for record in suite.records()), *loose], renew=True)
    told.describe(catalogue.load_mutants())
    return told


def page_of(kept):
    kept.describe(catalogue.load_mutants())
    return page.page(kept, catalogue.load_hazards())


def check(options, kept, has):
    gone = [record for record in kept.all() if has.is_gone(record)]
    found = freshness.judge(has.missing(kept), gone, page_of(kept), options.output)
    print(found.text())
    return 0 if found.is_fresh() else 1


def main(arguments):
    options = parse(arguments)
    try:
        kept, has = Kept.read(options.kept), what_the_tree_has()
        if options.check:
            return check(options, kept, has)
        run_what_is_wanted(options)
        suites, loose = suites_of(options), list(loose_records(options.log))
        changes = take_in(kept, suites, loose, has, options.renew or options.only is not None)
        told, text = in_full(suites, loose), page_of(kept)
    except (records.BadRecord, catalogue.BadCatalogue, OSError, ValueError) as error:
        print(f"evidence: {error}", file=sys.stderr)
        return 2
    failed = [f"{suite.preset}: {name}" for suite in suites for name in suite.failed()]
    failed += [f"{record['name']}: {record['verdict']}" for record in loose if record["kind"] in records.VERDICTS and not record["as_claimed"]]
    if options.only is not None:
        print(page.columns(page.section_of(options.only), told.of(options.only)))
    else:
        kept.write(options.kept)
        options.output.write_text(text, encoding="utf-8")
        if options.tables is not None:
            options.tables.write_text(page.tables(told, catalogue.load_hazards()), encoding="utf-8")
        print(f"{options.output}: {changes}")
    if failed:
        print(f"evidence: failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
