"""Whether a test notices a mistake: the run of a test program, and the verdict on it."""

import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass

PASSED = re.compile(r"^\[  PASSED  \] (\d+) tests?\.", re.MULTILINE)
EXECUTION = re.compile(r"broken by execution (\d+)")


@dataclass(frozen=True)
class Run:
    """What a test program did. `status` is None if its time was up."""
    status: int | None
    output: str
    seconds: float


@dataclass(frozen=True)
class Verdict:
    """`as_claimed`: killed by the test it names; or equivalent or a variant, and passed."""
    mutant: object
    word: str            # as `claim_of` the mutant, or what went wrong
    as_claimed: bool
    seconds: float = 0   # of the test that was to fail
    output: str = ""
    executions: int | None = None  # of a model checker, until it noticed

    def record(self):
        """What docs/evidence.md needs of it."""
        mutant = self.mutant
        known = {"kind": mutant.kind, "name": mutant.name, "room": mutant.room, "hazards": list(mutant.hazards), "claim": mutant.claim,
                 "test": mutant.test or mutant.target, "verdict": self.word, "as_claimed": self.as_claimed,
                 "seconds": round(self.seconds, 3)}
        if self.executions is not None:
            known["executions"] = self.executions
        if mutant.equivalent or mutant.variant:
            known["reason"] = mutant.equivalent or mutant.variant
        return known


def run_test(program, mutant, folder, timeout):
    """Runs the test that the entry names, in a process group of its own that ends with it."""
    command = [str(program), *([f"--gtest_filter={mutant.test}"] if mutant.test else [])]
    inherited = {name: value for name, value in os.environ.items() if name != "FILCH_LONG"}
    begin = time.monotonic()
    with subprocess.Popen(command, cwd=folder, env=inherited | mutant.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            status = None
        return Run(status, output, time.monotonic() - begin)


def is_proof(run, mutant):
    """The test passes as things are; one that a filter left out has passed nothing."""
    passed = PASSED.search(run.output)
    return run.status == 0 and (not mutant.test or (passed is not None and int(passed[1]) > 0))


def judge(run, mutant):
    verdict = verdict_word(run, mutant)
    execution = EXECUTION.search(run.output)
    return Verdict(mutant, verdict, verdict == claim_of(mutant), run.seconds, run.output,
                   int(execution[1]) if execution else None)


def claim_of(mutant):
    if mutant.variant:
        return "variant holds"
    return "equivalent" if mutant.equivalent else "killed"


def verdict_word(run, mutant):
    if mutant.variant:
        return "variant holds" if run.status == 0 else "variant fails"
    if run.status is None:
        return "killed" if mutant.hang else "never ends"
    if run.status == 0:
        return "equivalent" if mutant.equivalent else "survived"
    if mutant.text and not re.search(mutant.text, run.output):
        return "fails otherwise"
    return "noticed" if mutant.equivalent else "killed"


def wrong(mutant, word, output):
    return Verdict(mutant, word, False, 0.0, output)
