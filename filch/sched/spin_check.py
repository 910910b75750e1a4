#!/usr/bin/env python3
"""Checks the protocols of sched and io with SPIN: every model holds in full, every mutant dies, and the names that models and code share exist.

spin_check.py list            the cases, one a line
spin_check.py run CASE        generates, compiles and runs the verifier of one; prints its evidence
spin_check.py names           compares the models' `code:` comments with their room's README.md and with the sources
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOMS = Path(__file__).resolve().parents[1]
MEMORY_MB = 2000
DEPTH = 2_000_000


@dataclass(frozen=True)
class Case:
    """One run of the verifier: a model, its size and what is to hold. A mutant is named as the macro that puts the mistake in."""
    room: str
    model: str
    name: str
    sizes: dict
    formula: str = ""  # an `ltl` of the model, under weak fairness; empty: assertions, deadlocks and the monitor
    claim: str = ""  # of a mutant: what is done wrong

    @property
    def title(self):
        return f"{self.model}.{self.name}"


def cases_of(room, model, held, mutants):
    """`held`: (name, formula, sizes). `mutants`: (macro, name of the case that it breaks, claim)."""
    by_name = {name: Case(room, model, name, sizes, formula) for name, formula, sizes in held}
    broken = [Case(room, model, macro, by_name[base].sizes, by_name[base].formula, claim) for macro, base, claim in mutants]
    return [*by_name.values(), *broken]


CASES = {case.title: case for case in [
    *cases_of("sched", "sleeping", [
        ("holds_for_1", "", dict(WORKERS=1, SLOTS=1, SUBMITTED=2, SPAWNED=2)),
        ("holds_for_2", "", dict(WORKERS=2, SLOTS=2, SUBMITTED=1, SPAWNED=2)),
        ("holds_for_3", "", dict(WORKERS=3, SLOTS=2, SUBMITTED=2, SPAWNED=0)),
        ("holds_for_3_with_3_slots", "", dict(WORKERS=3, SLOTS=3, SUBMITTED=1, SPAWNED=1)),
        ("work_is_taken", "taken", dict(WORKERS=3, SLOTS=2, SUBMITTED=2, SPAWNED=0)),
    ], [
        ("MUTANT_NO_RECHECK", "holds_for_3", "A worker that parks does not look again after it has said so."),
        ("MUTANT_WAKE_BEFORE_PUBLISH", "holds_for_2", "A producer wakes a worker for a job that it has not yet published."),
        ("MUTANT_SEARCH_NOT_ENDED", "holds_for_3", "A thread that gives an unused slot back still counts as searching."),
        ("MUTANT_RECHECK_BEFORE_ANNOUNCE", "holds_for_3", "The look that must find late work comes before the sleep is announced."),
        ("MUTANT_NO_SUCCESSOR", "work_is_taken", "The last searcher finds work and wakes no other searcher."),
    ]),
    *cases_of("sched", "hand_over", [
        ("holds_for_1_and_a_visitor", "", dict(WORKERS=1, VISITORS=1, SLOTS=1, PUSHED=1, SUBMITTED=1)),
        ("holds_for_1_and_2_visitors", "", dict(WORKERS=1, VISITORS=2, SLOTS=1, PUSHED=1, SUBMITTED=0, STALLED=1, BLOCKED=0)),
        ("holds_for_2_and_a_visitor", "", dict(WORKERS=2, VISITORS=1, SLOTS=2, PUSHED=1, SUBMITTED=0)),
        ("holds_for_3", "", dict(WORKERS=3, VISITORS=0, SLOTS=1, PUSHED=0, SUBMITTED=2, STALLED=1, BLOCKED=0)),
        ("holds_while_jobs_block_for_ever", "", dict(WORKERS=3, VISITORS=0, SLOTS=1, PUSHED=0, SUBMITTED=2, STALLED=0, BLOCKED=1, ENDLESS=1)),
        ("holds_while_the_budget_changes", "", dict(WORKERS=1, VISITORS=1, SLOTS=2, BUDGET=1, PUSHED=1, SUBMITTED=0, STALLED=1, BLOCKED=0)),
        ("work_is_taken", "taken", dict(WORKERS=2, VISITORS=1, SLOTS=1, PUSHED=1, SUBMITTED=0)),
        ("work_is_taken_by_3", "taken", dict(WORKERS=3, VISITORS=1, SLOTS=1, PUSHED=1, SUBMITTED=0, BLOCKED=0)),
        ("all_get_their_slots_back", "all_end", dict(WORKERS=2, VISITORS=1, SLOTS=1, PUSHED=1, SUBMITTED=0)),
        ("all_of_3_get_their_slots_back", "all_end", dict(WORKERS=3, VISITORS=1, SLOTS=1, PUSHED=1, SUBMITTED=0, BLOCKED=0)),
        ("jobs_begin_beside_a_visitor_that_stays", "", dict(WORKERS=1, VISITORS=2, SLOTS=1, PUSHED=1, SUBMITTED=0, STALLED=0, BLOCKED=0, STAYS=1)),
        ("jobs_begin_beside_visitors_that_stay", "", dict(WORKERS=2, VISITORS=2, SLOTS=2, PUSHED=1, SUBMITTED=0, STALLED=0, BLOCKED=0, STAYS=1)),
        ("all_3_come_to_rest", "all_rest", dict(WORKERS=3, VISITORS=0, SLOTS=1, PUSHED=0, SUBMITTED=2, STALLED=1, BLOCKED=0)),
    ], [
        ("MUTANT_NO_NOTE", "holds_for_1_and_a_visitor", "A producer that finds all slots taken leaves no note for the thread that frees one."),
        ("MUTANT_NOTE_IGNORED", "holds_for_1_and_a_visitor", "A thread that frees a slot does not read a producer's note."),
        ("MUTANT_QUEUE_NOT_LOOKED_AT", "holds_for_1_and_a_visitor", "The holder of the only slot frees it without a look at the jobs that it queued without a wake."),
        ("MUTANT_EARLY_RESUME_FORGOTTEN", "holds_for_2_and_a_visitor", "A resume that comes before its sleep is lost."),
        ("MUTANT_WITHHELD_KEPT", "holds_for_2_and_a_visitor", "The end of an overcommitted claim does not bring back the slot that was withheld for it."),
        ("MUTANT_ALL_WITHHELD", "jobs_begin_beside_a_visitor_that_stays", "All slots are withheld for external threads, for as long as these stay."),
        ("MUTANT_VISITORS_TAKE_ALL", "jobs_begin_beside_visitors_that_stay", "External threads hold all slots, for as long as they stay."),
        ("MUTANT_SLOT_NOT_OFFERED", "holds_while_jobs_block_for_ever", "A job that blocks keeps its slot."),
    ]),
    *cases_of("sched", "life_cycle", [
        ("holds_for_1", "", dict(WORKERS=1, SLOTS=1, SUBMITTED=2, SPAWNED=1)),
        ("holds_for_2", "", dict(WORKERS=2, SLOTS=2, SUBMITTED=1, SPAWNED=1)),
        ("holds_for_3", "", dict(WORKERS=3, SLOTS=2, SUBMITTED=1, SPAWNED=1)),
        ("the_destructor_returns", "ends", dict(WORKERS=2, SLOTS=1, SUBMITTED=1, SPAWNED=1)),
        ("the_destructor_of_3_returns", "ends", dict(WORKERS=3, SLOTS=1, SUBMITTED=1, SPAWNED=1)),
        ("what_was_submitted_ends", "drains", dict(WORKERS=2, SLOTS=1, SUBMITTED=1, SPAWNED=1)),
        ("what_was_submitted_to_3_ends", "drains", dict(WORKERS=3, SLOTS=1, SUBMITTED=1, SPAWNED=1)),
    ], [
        ("MUTANT_COUNT_AFTER_PUBLISH", "holds_for_1", "A job can be finished before it was counted."),
        ("MUTANT_SUBMIT_AFTER_STOP", "holds_for_1", "A submission does not look whether the pool was stopped."),
        ("MUTANT_NO_DRAIN", "holds_for_1", "The destructor ends the workers while jobs are unfinished."),
        ("MUTANT_WAIT_NOT_SAID", "holds_for_1", "The destructor does not say that it waits for the last job."),
        ("MUTANT_SLEEPERS_NOT_TOLD", "holds_for_1", "A worker that parks after the others were woken for the end is never woken."),
        ("MUTANT_SELF_DESTROY_WAITS", "holds_for_1", "A job that destroys its own pool waits for all jobs, itself among them."),
    ]),
    *cases_of("io", "looks", [
        ("holds_for_2", "", dict(WORKERS=2, OPERATIONS=2, FROM_OUTSIDE=1, WAKES=1)),
        ("holds_for_2_and_2_wakes", "", dict(WORKERS=2, OPERATIONS=1, FROM_OUTSIDE=1, WAKES=2)),
        ("holds_for_3", "", dict(WORKERS=3, OPERATIONS=1, FROM_OUTSIDE=1, WAKES=1)),
        ("what_ends_is_delivered", "all_come", dict(WORKERS=2, OPERATIONS=2, FROM_OUTSIDE=1, WAKES=1)),
    ], [
        ("MUTANT_NO_FLAG", "holds_for_2", "An interrupt leaves no flag for a worker that is about to block."),
        ("MUTANT_STOP_BEFORE_FLAG", "holds_for_2", "An interrupt sets its flag after it has stopped the context."),
        ("MUTANT_LOOK_TAKES_THE_FLAG", "holds_for_2", "A look takes the interrupt from a worker that is about to block."),
        ("MUTANT_CHOSEN_ONE_POLLS", "holds_for_2", "A worker that was chosen for a wake becomes the poller."),
        ("MUTANT_OUTSIDER_TELLS_NOBODY", "holds_for_2", "A completion outside of the context's handlers waits until a worker looks by chance."),
        ("MUTANT_OUTSIDER_TELLS_LATE", "holds_for_2", "A thread that hands a completion over uses the context after that may have ended."),
    ]),
]}


# ------------------------------------------------------------------------------------------------------------------ running
def need(program):
    if shutil.which(program) is None:
        sys.exit(f"spin_check: `{program}` is not installed; ./test installs it (scripts/packages/test.txt)")


def call(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def verifier(case, folder):
    """Builds the verifier; returns the command that runs it."""
    for model in (ROOMS / case.room).glob("*.pml"):
        shutil.copy(model, folder)
    defines = [f"-D{name}={value}" for name, value in case.sizes.items()] + ([f"-D{case.name}"] if case.claim else [])
    # Unoptimised: the verifier's one huge function takes longer to optimise than to run.
    for command in (["spin", "-a", *defines, f"{case.model}.pml"],
                    ["cc", "-O0", "-w", "-DCOLLAPSE", "-DNFAIR=3", f"-DMEMLIM={MEMORY_MB}", *([] if case.formula else ["-DSAFETY", "-DNOCLAIM"]),
                     "-o", "pan", "pan.c"]):
        code, said = call(command, folder)
        if code != 0:
            sys.exit(f"spin_check: {' '.join(command)} failed:\n{said}")
    return ["./pan", f"-m{DEPTH}", *(["-a", "-f", "-N", case.formula] if case.formula else [])]


def run(case):
    need("spin")
    need("cc")
    with tempfile.TemporaryDirectory() as folder:
        search = verifier(case, folder)
        begin = time.monotonic()
        _, said = call(search, folder)
        seconds = round(time.monotonic() - begin, 3)
        found = re.search(r"errors: (\d+)\s+([\d.e+]+) states, stored", said)
        if found is None:
            sys.exit(f"spin_check: the verifier said nothing of its search:\n{said}")
        errors, states = int(found[1]), int(float(found[2]))
        complete = errors == 0 and not re.search(r"Search not completed|max search depth|out of memory", said)
        trail = call(["./pan", "-r", *(["-N", case.formula] if case.formula else [])], folder)[1] if errors else ""
    if case.claim:
        evidence("mutant", case, room=case.room, hazards=[], claim=case.claim, test=f"spin.{case.title}",
                 verdict="killed" if errors > 0 else "survived", as_claimed=errors > 0, seconds=seconds, states=states)
        return errors > 0 or complain(f"{case.title}: the mistake was not found among {states} states")
    evidence("spin", case, workers=case.sizes["WORKERS"], states=states, complete=complete,
             property=case.formula or "assertions, no deadlock, no work neglected")
    return complete or complain(f"{case.title} does not hold, or was not searched in full:\n{said}\n{trail}")


def evidence(kind, case, **figures):
    print("evidence:", json.dumps({"kind": kind, "name": case.title, **figures}))


def complain(what):
    print(what)
    return False


# -------------------------------------------------------------------------------------------------------------------- names
def shared_names(room):
    """(model's name, code's name) for each name in a comment `code: a, b` behind the head of an `inline`, a `proctype` or elsewhere."""
    for model in sorted((ROOMS / room).glob("*.pml")):
        for line in model.read_text(encoding="utf-8").splitlines():
            comment = re.search(r"/\* code: ([^*]+?) \*/", line)
            head = re.match(r"(?:inline|proctype) (\w+)", line)
            for name in comment[1].split(", ") if comment else ():
                yield model.name, head[1] if head else None, name


def readme_names(room):
    """The same pairs from README.md: rows `| model's name | code's names |` of the section on the models."""
    section = (ROOMS / room / "README.md").read_text(encoding="utf-8").split("## Models", 1)[-1].split("\n## ", 1)[0]
    for row in re.findall(r"^\| `(\w+)` \| (.*?) \|", section, re.M):
        for name in re.findall(r"`([\w:]+)`", row[1]):
            yield row[0], name


def exists_in(sources, name):
    """A member is defined as `type::member`, or named in the header that declares the type."""
    kind, _, member = name.rpartition("::")
    if re.search(rf"\b{re.escape(name)}\b", sources["all"]):
        return True
    return any(re.search(rf"\b(?:class|struct) (?:FILCH_EXPORT )?(?:basic_)?{kind}\b", text) and re.search(rf"\b{member}\b", text)
               for path, text in sources.items() if path != "all")


def check_names():
    files = [path for room in ("base", "policy", "queue", "sched", "io") for path in (ROOMS / room).rglob("*.[hc]pp")]
    sources = {str(path): re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")) for path in files}
    sources["all"] = "\n".join(sources.values())
    return all([check_names_of(room, sources) for room in sorted({case.room for case in CASES.values()})])


def check_names_of(room, sources):
    shared = list(shared_names(room))
    problems = [f"{room}/{model}: `{name}` exists nowhere in the code" for model, _, name in shared if not exists_in(sources, name)]
    in_models = {(head, name) for _, head, name in shared if head}
    in_readme = set(readme_names(room))
    problems += [f"{room}/README.md, Models: lacks the row `{head}` | `{name}`" for head, name in sorted(in_models - in_readme)]
    problems += [f"{room}/README.md, Models: `{head}` | `{name}` stands in no model" for head, name in sorted(in_readme - in_models)]
    if not in_models:
        problems.append(f"{room}: no model names any code")
    print("\n".join(problems) or f"{room}: {len(shared)} names in models, {len(in_readme)} in README.md, all of them in the code")
    return not problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["list", "run", "names"])
    parser.add_argument("case", nargs="?", choices=CASES)
    chosen = parser.parse_args()
    if chosen.what == "list":
        print("\n".join(CASES))
        return True
    if chosen.what == "names":
        return check_names()
    if chosen.case is None:
        parser.error("run which case?")
    return run(CASES[chosen.case])


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
