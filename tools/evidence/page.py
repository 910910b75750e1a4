"""The page docs/evidence.md and the tables behind it. No number in either is written by hand."""

from dataclasses import dataclass

from bars import bars
from kept import KINDS
from lines import COUNTED

KNOWN_FIELDS = ("kind", "name", "ctest", "room", "claim", "reason", "as_claimed", "when")


@dataclass(frozen=True)
class Section:
    kind: str
    title: str
    command: str
    about: str


SECTIONS = (
    Section("relacy", "Model checks by Relacy", "./test --long -- -L model",
            "Executions of the shipped text, each with another interleaving, each without a failure."),
    Section("explorer", "Model checks by our own explorer", "./test --long -- -L model",
            "Complete: every execution within the bound named was seen."),
    Section("edge", "Edges", "./test -- -R witness -V", "Each order built relaxed, and how soon its witness fails."),
    Section("spin", "SPIN models", "./test --long -- -R spin", "Distinct states of the models of whole protocols."),
    Section("schedule", "Deterministic schedules", "./test --long -- -R '^(hazards|random_programs|[a-z]*_schedules)[.]'", "Seeds, each another schedule of real threads, each repeatable."),
    Section("stress", "Stress", "./test --long -- -L stress", "Operations by real threads, each delivered exactly once, by tests that first kill their mutant."),
    Section("calibration", "Stress, calibrated", "./test -- -L stress", "Mistakes that stress tests made before they began, each in the shape that then ran, and after how many milliseconds they noticed."),
    Section("random", "Random inputs", "./test -- -R balances_to_the_nanosecond -V", "Seeds, each an input of its own, of which everything claimed was checked."),
    Section("fuzz", "Fuzzing", "./test --fuzz", "Inputs to the parsers, and what they were compared with."),
)


def page(evidence, hazards):
    """What a person reads: counts, bars, suites and hazards. Nothing but the records and the hazards decides it."""
    mutants, variants, suites = evidence.of("mutant"), evidence.of("variant"), evidence.of("suite")
    return "\n\n".join([head(suites), summary(evidence, hazards, mutants, variants), bars_table(evidence),
                        suites_table(suites), kept_table(evidence), hazards_in_short(hazards, mutants)]) + "\n"


def tables(evidence, hazards):
    """Every record, in a table for each kind, and the names behind the hazards."""
    parts = ["# Records of evidence"] + [section_text(section, evidence.of(section.kind)) for section in SECTIONS]
    return "\n\n".join([*parts, mutants_text(evidence.of("mutant")), variants_text(evidence.of("variant")),
                        hazards_text(hazards, evidence.of("mutant"))]) + "\n"


def head(suites):
    lines = ["# Evidence", "",
             "Made by `tools/evidence/evidence.py` from the records kept in [evidence.txt](evidence.txt); not edited by hand. What a failed test",
             "counted is left out. `./test --long` runs the long versions, `./test` short ones of every kind.",
             "`tools/evidence/evidence.py --tables FILE` writes a table of all that the last runs said.", "",
             table(("machine", ""), [(field, text_of(value)) for field in ("processor", "cores", "system", "kernel", "compiler")
                                     for value in sorted({suite[field] for suite in suites})])]
    return "\n".join(lines)


def summary(evidence, hazards, mutants, variants):
    rows = []
    for section in SECTIONS:
        records = evidence.of(section.kind)
        rows.append((section.title, counts_of(records) or f"no record of `{section.kind}`", code(section.command).replace("|", "\\|")))
    rows += [("Sanitizers", tests_of(suite for suite in evidence.of("suite") if suite["sanitizers"]), code("./test --sanitize")),
             ("Valgrind's thread schedulers", counted_programs(evidence.of("suite")), code("./test -- -L valgrind"))]
    killed, equivalent = verdicts(mutants, "killed"), verdicts(mutants, "equivalent")
    put_back = {number for mutant in killed for number in mutant["hazards"]}
    rows.append(("Mutants", f"{len(killed)} killed, {len(equivalent)} equivalent, {len(mutants) - len(killed) - len(equivalent)} neither"
                 if mutants else "no record of `mutant`", code("tests/mutants/mutants.py")))
    hold = verdicts(variants, "variant holds")
    rows.append(("Variants", f"{len(hold)} hold, {len(variants) - len(hold)} do not" if variants else "no record of `variant`",
                 code("tests/mutants/mutants.py spinning")))
    later = sum(bool(hazard.later) for hazard in hazards)
    rows.append(("Hazards", f"{sum(bool(h.tests) for h in hazards)} caught by tests, {sum(bool(h.absent) for h in hazards)} cannot occur, "
                 + (f"{later} in rooms that do not exist yet; " if later else "") + f"{len(put_back)} put back", code("tests/mutants/mutants.py --check")))
    return "## In short\n\n" + table(("what", "count", "command"), rows)


def tests_of(suites):
    return ", ".join(f"{number(suite['passed'])} tests in {suite['name']}" for suite in suites) or "no record"


def counted_programs(suites):
    most = max((suite["under_valgrind"] for suite in suites), default=0)
    return f"{most} programs passed" if most else "no record"


def bars_table(evidence):
    rows = [(bar.what, ("at most " if bar.at_most else "at least ") + number(bar.wanted), number(bar.found), "yes" if bar.is_met() else "**no**")
            for bar in bars(evidence)]
    return "## Bars\n\nWhat is promised, and what was counted.\n\n" + table(("what", "wanted", "found", "met"), rows)


def suites_table(suites):
    rows = [(suite["name"], suite["sanitizers"] or "-", number(suite["passed"]), suite["skipped"], ", ".join(suite["failed"]) or "-",
             *(text_of(suite.get(field)) for field in ("minutes", "minutes_for_evidence")), f"{number(suite['operations'])} operations, {counted(suite['stress_tests'], 'record')}" if suite["stress_tests"] else "-",
             suite["when"], code(command_of(suite))) for suite in suites]
    headings = ("build", "sanitizers", "passed", "skipped", "failed", "minutes", "for this page", "stress", "day", "command")
    if not rows:
        return "## Test suites\n\nNo record of any."
    return f"## Test suites\n\n{table(headings, rows)}\n\n{minutes_text(suites)}"


def minutes_text(suites):
    known = [suite["minutes_for_evidence"] for suite in suites if "minutes_for_evidence" in suite]
    unknown = [suite["name"] for suite in suites if "minutes_for_evidence" not in suite]
    but_for = f", but for {', '.join(unknown)}, of which it is not known" if unknown else ""
    return ("Minutes by the clock, after all was built. For this page: the share of that time which the tests took that it counts; together\n"
            f"{number(round(sum(known)))}{but_for}.")


def kept_table(evidence):
    rows = []
    for kind in KINDS:
        if days := sorted(record["when"] for record in evidence.of(kind)):
            rows.append((kind, len(days), days[0], days[-1]))
    return ("## Records\n\nWhat this page is made from: a record counts until another says something else, or counted more, or its test is gone.\n\n"
            + table(("kind", "records", "from", "to"), rows) if rows else "## Records\n\nNone.")


def command_of(suite):
    known = {"gcc-12": "./test", "clang-14": "./test --compiler clang++-14", "clang-19": "./test --compiler clang++-19",
             "tsan": "./test --sanitize", "tsan-gcc": "./test --sanitize", "asan": "./test --sanitize", "fuzz": "./test --fuzz"}
    return known.get(suite["name"], f"ctest --preset {suite['name']}")


def section_text(section, records):
    lines = [f"## {section.title}", ""]
    if not records:
        return "\n".join([*lines, f"No record of `{section.kind}`."])
    headings, rows = cells_of(records)
    lines += [f"{section.about} Repeat: `{section.command}`, or a row by `./test --long -- -R` and the test's name.", "",
              table(headings, rows)]
    if total := counts_of(records):
        lines += ["", f"Together: {total}."]
    return "\n".join(lines)


def section_of(kind):
    return next(each for each in SECTIONS if each.kind == kind)


def cells_of(records):
    """The headings and rows of what records of one kind say; a column that is empty for all of them is left out."""
    fields = [field for field in dict.fromkeys(key for record in records for key in record if key not in KNOWN_FIELDS)
              if any(record.get(field) for record in records)]
    rows = [(name_of(record), *(text_of(record.get(key)) for key in fields), record.get("ctest", "-")) for record in records]
    return ("name", *fields, "test"), rows


def columns(section, records):
    """The section's table, for a terminal."""
    if not records:
        return f"{section.title}: no record; {section.command} makes them"
    headings, rows = cells_of(records)
    widths = [max(len(str(row[i])) for row in (headings, *rows)) for i in range(len(headings))]
    lines = ["  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip() for row in (headings, *rows)]
    return "\n".join([*lines, f"{section.title}: {counts_of(records)}"])


def mutants_text(mutants):
    if not mutants:
        return "## Mutants\n\nNo record of `mutant`."
    rows = [(code(mutant["name"]), " ".join(map(str, mutant["hazards"])) or "-", f"{mutant['claim']}{excuse(mutant)}", mutant["test"],
             mutant["verdict"], after(mutant)) for mutant in sorted(mutants, key=lambda mutant: (mutant["room"], mutant["name"]))]
    return ("## Mutants\n\nThe library with one mistake each, and the test that notices. One: `tests/mutants/mutants.py --only` and its name.\n\n"
            + table(("mutant", "hazards", "mistake", "test", "verdict", "after"), rows))


def variants_text(variants):
    if not variants:
        return "## Variants\n\nNo record of `variant`."
    rows = [(code(variant["name"]), f"{variant['claim']}{excuse(variant)}", variant["test"], variant["verdict"], after(variant)) for variant in variants]
    return "## Variants\n\nThe library with other constants, whose tests must pass as before.\n\n" + table(("variant", "choice", "test", "verdict", "after"), rows)


def hazards_in_short(hazards, mutants):
    back = put_back(mutants)
    rows = [(hazard.number, hazard.hazard, counted(len(hazard.tests), "test") if hazard.tests else hazard.answer(),
             counted(len(back.get(hazard.number, [])), "mutant")) for hazard in hazards]
    return ("## Hazards\n\nBugs that work-stealing runtimes have had: how many tests would catch each here, or why it cannot occur; and how many\n"
            "mutants put it back and were killed. [hazards.toml](../tests/mutants/hazards.toml) names the tests.\n\n"
            + table(("#", "hazard", "caught by, or why not", "put back by"), rows))


def hazards_text(hazards, mutants):
    back = put_back(mutants)
    rows = [(hazard.number, hazard.hazard, hazard.answer(), ", ".join(sorted(back.get(hazard.number, []))) or "-") for hazard in hazards]
    return "## Hazards\n\n" + table(("#", "hazard", "caught by, or why not", "put back as"), rows)


def put_back(mutants):
    back = {}
    for mutant in verdicts(mutants, "killed"):
        for hazard in mutant["hazards"]:
            back.setdefault(hazard, []).append(code(mutant["name"]))
    return back


# ---------------------------------------------------------------------------------------------------------- cells
def verdicts(mutants, word):
    return [mutant for mutant in mutants if mutant["as_claimed"] and mutant["verdict"] == word]


def excuse(mutant):
    return f" {mutant['reason']}" if mutant.get("reason") else ""


def after(mutant):
    return f"{number(mutant['executions'])} executions" if "executions" in mutant else f"{mutant['seconds']:.2f} s"


def name_of(record):
    return str(record.get("name", record.get("edge", "-")))


def counts_of(records):
    """The sums of what is counted, and how many said that they saw everything."""
    sums = {key: sum(record.get(key, 0) for record in records) for key in COUNTED}
    parts = [f"{number(total)} {key}" for key, total in sums.items() if total]
    bounded = [record for record in records if "complete" in record]
    if any(record["complete"] for record in bounded):
        parts.append(f"{sum(record['complete'] is True for record in bounded)} of {len(bounded)} complete")
    elif records:
        parts.append(counted(len(records), "record"))
    return ", ".join(parts)


def counted(count, what):
    return f"{number(count)} {what}{'s' * (count != 1)}" if count else "-"


def number(value):
    return f"{value:,}"


def text_of(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return "-" if value is None else str(value).replace("|", "\\|")


def code(text):
    return f"`{text}`"


def table(headings, rows):
    cells = [headings, tuple("---" for _ in headings), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in cells)
