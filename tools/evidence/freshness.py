"""Whether the page still tells of what the tree has, and the command that mends it if it does not."""

from dataclasses import dataclass

from records import VERDICTS

# So many may be missing: a commit that adds a test need not touch the page, on which it would collide with other such commits.
MAY_BE_MISSING = 10
NAMED_IN_COMMANDS = 20  # of more, everything is run
MEND = "tools/evidence/evidence.py"


@dataclass(frozen=True)
class Freshness:
    missing: list     # (kind, name) of what the tree has and no record tells of
    gone: list        # records of what the tree no longer has
    differs: bool     # the page is not what the records make

    def is_fresh(self):
        return not self.gone and not self.differs and len(self.missing) <= MAY_BE_MISSING

    def text(self):
        lines = [f"missing: {kind} {name}" for kind, name in self.missing]
        lines += [f"gone: {record['kind']} {record['name']}" + (f", told by {record['ctest']}" if "ctest" in record else "") for record in self.gone]
        if self.differs:
            lines.append("docs/evidence.md is not what the records of docs/evidence/ make.")
        if lines:
            lines += ["", f"evidence: {len(self.missing)} missing of which {MAY_BE_MISSING} may be, {len(self.gone)} gone"
                      + (", and the page differs" if self.differs else "") + ("" if self.is_fresh() else ": not fresh") + ". Mend it:"]
            lines += [f"  {command}" for command in commands(self.missing)]
        return "\n".join(lines) or "evidence: the page tells of all that the tree has"


def judge(missing, gone, text, page_file):
    shown = page_file.read_text(encoding="utf-8") if page_file.is_file() else ""
    return Freshness(missing, gone, shown != text)


def commands(missing):
    """What to run, in this order, until nothing is missing."""
    of = {"mutants": [], "fuzz": [], "test": []}
    for kind, name in missing:
        if kind in VERDICTS and not name.partition(".")[2]:
            of["mutants"].append(name)
        else:  # a mistake in a SPIN model is a test
            of["fuzz" if kind == "fuzz" else "test"].append(f"spin.{name}" if kind in VERDICTS else name)
    yield from (f"./test{option} -- -R '{regex(of[run])}'" if len(of[run]) <= NAMED_IN_COMMANDS else f"./test{option}"
                for run, option in (("test", ""), ("fuzz", " --fuzz")) if of[run])
    if names := of["mutants"]:
        only = f" --only '^({'|'.join(names)})$'" if len(names) <= NAMED_IN_COMMANDS else ""
        yield f"tests/mutants/mutants.py{only} --evidence | {MEND} --log -"
    else:
        yield MEND


def regex(names):
    return "|".join(sorted(set(names)))
