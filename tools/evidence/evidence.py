#!/usr/bin/env python3
"""Makes docs/evidence.md from what the tests said the last time they ran, or prints one table of it; with --run it runs them first."""

import argparse
import datetime
import shlex
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "mutants")]

import catalogue  # noqa: E402
import page  # noqa: E402
import records  # noqa: E402
from harness import machine  # noqa: E402

# Everything that yields evidence, in the order in which it runs. An option that ./test does not have is left out.
RUNS = (("--long",), ("--sanitize",), ("--fuzz",))


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", action="store_true", help="first run ./test with " + ", ".join(" ".join(run) for run in RUNS) +
                        ", which takes hours; with --only, the command of that kind")
    parser.add_argument("--only", metavar="KIND", choices=[section.kind for section in page.SECTIONS],
                        help="print the table of one kind and write no page: " + ", ".join(section.kind for section in page.SECTIONS))
    parser.add_argument("--build", metavar="FOLDER", type=Path, action="append",
                        help="a build folder whose last run of ctest counts; all in build/ if none is named")
    parser.add_argument("--log", metavar="FILE", type=Path, action="append", default=[], help="further output with lines of evidence")
    parser.add_argument("--kept", metavar="FOLDER", type=Path, default=ROOT / "docs" / "evidence",
                        help="logs of runs too long to repeat, which count as long as they lie there (%(default)s)")
    parser.add_argument("--output", metavar="FILE", type=Path, default=ROOT / "docs" / "evidence.md", help="(%(default)s)")
    return parser.parse_args(arguments)


def run_everything(logs):
    """Runs what yields evidence, shows it, and keeps what is said outside ctest. Returns the files."""
    known = subprocess.run([ROOT / "test", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [run_test(run, logs / f"{run[0].strip('-')}.log") for run in RUNS if run[0] in known]


def run_test(arguments, log_file):
    """Runs ./test, shows what it says and keeps it. Returns the file."""
    log_file.parent.mkdir(parents=True, exist_ok=True)
    with log_file.open("w", encoding="utf-8") as log:
        with subprocess.Popen([ROOT / "test", *arguments], stdout=subprocess.PIPE, text=True, errors="replace", cwd=ROOT) as process:
            for line in process.stdout:
                print(line, end="")
                log.write(line)
    return log_file


def run_what_is_wanted(options):
    logs = ROOT / "build" / "evidence"
    if not options.run:
        return []
    if options.only is None:
        return run_everything(logs)
    return [run_test(shlex.split(page.section_of(options.only).command)[1:], logs / f"{options.only}.log")]


def collect(folders, logs, kept_logs):
    suites = [suite for suite in map(records.suite_in, folders) if suite is not None]
    loose = [record for log in logs for record in records.records_in(log.read_text(encoding="utf-8", errors="replace"))]
    mutants = {(mutant.kind, mutant.name): mutant.test or mutant.target for mutant in catalogue.load_mutants()}
    return records.Evidence(suites, loose, [records.kept_in(log, mutants) for log in kept_logs])


def main(arguments):
    options = parse(arguments)
    try:
        logs = [*options.log, *run_what_is_wanted(options)]
        folders = options.build or sorted(path.parent for path in (ROOT / "build").glob("*/CMakeCache.txt"))
        found = collect(folders, logs, sorted(options.kept.glob("*.log")))
        if not found.suites and not found.loose:
            raise records.BadRecord("nothing has run yet: ./test first, or --run")
        hazards = catalogue.load_hazards()
    except (records.BadRecord, catalogue.BadCatalogue, OSError) as error:
        print(f"evidence: {error}", file=sys.stderr)
        return 2
    failed = [f"{suite.preset}: {name}" for suite in found.suites for name in suite.failed()]
    if options.only is not None:
        print(page.columns(page.section_of(options.only), found.of(options.only)))
        if failed:
            print(f"evidence: failed: {', '.join(failed)}", file=sys.stderr)
        return 1 if failed else 0
    compilers = {suite.compiler: machine.first_line(suite.compiler, "--version") or suite.compiler for suite in found.suites}
    facts = {**machine.facts({}, ROOT), "date": datetime.date.today().isoformat()}
    made_by = "tools/evidence/evidence.py" + (" --run" if options.run else "")
    options.output.write_text(page.page(found, hazards, facts, compilers, made_by), encoding="utf-8")
    print(f"{options.output}: {sum(1 for _ in found.all())} records of {len(found.suites)} test suites" +
          (f"; failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
