#!/usr/bin/env python3
"""Puts one mistake at a time into the library and shows that the test named for it fails.

First the test must pass as things are, then it must fail with the mistake. Exit code: 0 all as claimed, 1 not, 2 misuse.
"""

import argparse
import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

import catalogue  # noqa: E402
import report  # noqa: E402
import trials  # noqa: E402
from builds import BuildFolder, CannotBuild  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROOF_SECONDS = 300


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], epilog="Rooms are the files of tests/mutants/data.")
    parser.add_argument("room", nargs="*", help="only the mutants of these rooms")
    parser.add_argument("--build", default=ROOT / "build" / "gcc-12", type=Path, help="a build folder of Ninja's (%(default)s)")
    parser.add_argument("--only", metavar="REGEX", type=re.compile, help="only mutants whose name matches")
    parser.add_argument("--quick", action="store_true", help="of each room the first three of different files and test programs, and two variants")
    parser.add_argument("--unless-long", action="store_true", help="--quick, unless FILCH_LONG is set; as ctest runs it")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="mutants at a time (%(default)s)")
    parser.add_argument("--json", metavar="FILE", type=argparse.FileType("w", encoding="utf-8"), help="write the verdicts there, too")
    parser.add_argument("--evidence", action="store_true", help="print a line per verdict for docs/evidence.md")
    parser.add_argument("--list", action="store_true", help="only say what there is")
    parser.add_argument("--check", action="store_true", help="only see whether the catalogue fits the tree")
    return parser.parse_args(arguments)


def chosen(options, mutants):
    rooms = {mutant.room for mutant in mutants}
    for room in options.room:
        if room not in rooms:
            raise catalogue.BadCatalogue(f"no room is called {room}; there are {', '.join(sorted(rooms))}")
    wanted = [mutant for mutant in mutants if not options.room or mutant.room in options.room]
    if options.quick or options.unless_long and not os.environ.get("FILCH_LONG"):
        wanted = catalogue.quick(wanted)
    wanted = [mutant for mutant in wanted if options.only is None or options.only.search(mutant.name)]
    if not wanted:
        raise catalogue.BadCatalogue("no mutant is left to try")
    return wanted


def proof_key(mutant):
    return mutant.target, mutant.test, tuple(sorted(mutant.env.items()))


def proofs(build, mutants, pool):
    """Each test that is named, run without a mistake."""
    one_each = {proof_key(mutant): mutant for mutant in mutants}
    runs = pool.map(lambda mutant: trials.run_test(build.program(mutant.target), mutant, build.folder, PROOF_SECONDS), one_each.values())
    return dict(zip(one_each, runs))


def trial(build, mutant, proof):
    if not trials.is_proof(proof, mutant):
        return trials.wrong(mutant, "fails anyway", proof.output)
    try:
        program = build.make(mutant)
    except (CannotBuild, catalogue.BadCatalogue) as error:
        return trials.wrong(mutant, "not built", str(error))
    patience = max(mutant.timeout, 5 * proof.seconds)  # if the proof was slow, the mutant may be
    verdict = trials.judge(trials.run_test(program, mutant, build.folder, patience), mutant)
    if verdict.as_claimed:
        build.sweep(mutant)
    return verdict


def try_all(build, mutants, jobs):
    progress = report.Progress(len(mutants))
    progress.say("building the tests")
    build.build({mutant.target for mutant in mutants})
    for target in sorted({mutant.target for mutant in mutants}):
        build.parts_of(target)
    with ThreadPoolExecutor(jobs) as pool:
        progress.say("running the tests as they are")
        proven = proofs(build, mutants, pool)
        verdicts = list(pool.map(lambda mutant: progress.done(trial(build, mutant, proven[proof_key(mutant)])), mutants))
    progress.end()
    return verdicts


def main(arguments):
    options = parse(arguments)
    try:
        mutants, hazards = catalogue.load_mutants(), catalogue.load_hazards()
        wrong = list(catalogue.misfits(str(ROOT), mutants, hazards))
        if options.check or wrong:
            print("\n".join(wrong) or f"{len(mutants)} mutants and {len(hazards)} hazards fit the tree")
            return 1 if wrong else 0
        mutants = chosen(options, mutants)
        if options.list:
            print("\n".join(f"{mutant.room}: {mutant.name}: {mutant.claim}" for mutant in mutants))
            return 0
        verdicts = try_all(BuildFolder(ROOT, options.build), mutants, options.jobs)
    except (catalogue.BadCatalogue, CannotBuild) as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
    print(report.text(verdicts))
    if options.evidence:
        print(report.evidence(verdicts))
    if options.json:
        json.dump([verdict.record() for verdict in verdicts], options.json, indent=1)
    return 0 if all(verdict.as_claimed for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
