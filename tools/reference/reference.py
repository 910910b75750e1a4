#!/usr/bin/env python3
"""The API reference of filch in Markdown, from the docstrings of its headers. See README.md beside this file."""

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "names"))
import names  # noqa: E402
from declared import LABEL, Entry, Header, fence, paragraphs  # noqa: E402

TO_ROOT = "../.."  # from docs/reference
SPAN = re.compile(r"(`[^`]+`)")
# How to call an algorithm, at the beginning of its docstring: `name(...)`, `name(...)`: does this.
FORMS = r"((?:`{}\([^`]*`,? ?(?:or )?)+(?:(?:with|from) first and last(?: of both)?)?)[.:] +(\w)"
USES = 5
RATCHET = "tools/reference/undocumented.txt"
LACKS = ("docstring", "example", "topic")
REFERS = re.compile(r"As (?:above|below)|The same")  # a docstring that begins so leans on another overload


class Name:
    """A public name and what the headers say about it."""

    def __init__(self, full, kind, doors, entries):
        self.full, self.kind, self.doors = full, kind, doors
        self.short = full.removeprefix("filch::")
        defined = [entry for entry in entries if entry.kind == "scope"] if kind in ("class", "enum") else []
        self.entries = defined or entries
        self.deprecated = next((entry.deprecated for entry in self.entries if entry.deprecated), "")
        self.uses = []

    @property
    def is_documented(self):
        return any(entry.doc for entry in self.entries)

    @property
    def is_own(self):
        return any(entry.is_own for entry in self.entries)

    @property
    def inner_names(self):
        """Those of its parameters and members, which mean themselves in its docstrings."""
        return {word for entry in self.entries for each in (entry, *entry.members)
                for word in re.findall(r"\b(\w+)(?=\(|[,);]| = )", each.text)} - {self.short}

    @property
    def anchor(self):
        return re.sub(r"[^\w -]", "", self.short).lower()


class Reference:
    def __init__(self, root, found, macros, doors):
        self.root, self.doors, self.headers = root, doors, {}
        public = names.public_declarations(found, doors)
        self.names = {}
        for line in names.public_names(found, doors):
            full, kind, *of = line.split()
            entries = [(one.file, entry) for one in public[full] if (entry := self.entry(one, full))]
            told = defaultdict(int)
            for file, entry in entries:
                told[file] = max(told[file], len(entry.doc))  # the header that says most comes first
            self.names[full] = Name(full, kind, of, [entry for _, entry in sorted(entries, key=lambda each: -told[each[0]])])
        for line in names.public_macros(macros, doors):
            full, kind, of = line.split()
            self.names[full] = Name(full, kind, [of], [self.macro(full, of)])
        self.topics = read_topics((root / "tools/reference/topics.txt").read_text(encoding="utf-8"))
        self.find_uses()

    def header(self, path):
        if path not in self.headers:
            self.headers[path] = Header(self.root / path)
        return self.headers[path]

    def entry(self, one, full):
        header = self.header(one.file)
        entry = header.entry(one.line)
        if entry and one.kind == "constant" and "algo::" in entry.text:
            first, *rest = paragraphs(entry.doc) or [""]
            if leading := re.match(FORMS.format(one.name), first):
                first = leading[2].upper() + first[leading.end():]  # the forms stand in the declaration
                entry.doc = "\n\n".join([first, *rest]).split("\n")
            written = re.findall(rf"`((?:range \| )?{one.name}(?:\([^`]*)?)`", leading[1] if leading else first)
            calls = (leading and written) or header.calls(full.removeprefix("filch::"), entry.text) or written
            entry.text = "\n".join(dict.fromkeys(call.replace("[how,] ", "") for call in calls)) \
                or f"constexpr /* unspecified */ {one.name};"
        return entry

    def macro(self, name, door):
        for path in sorted(self.doors.reached(f"filch/{door}")):
            if (self.root / path).is_file():
                header = self.header(path)
                for number, line in enumerate(header.lines, 1):
                    if match := re.match(rf"#define {name}\b(\([^)]*\))?", line):
                        while number > 1 and header.lines[number - 2].startswith(("#", " ")):
                            number -= 1  # a docstring stands above all that is defined together
                        return Entry(f"#define {name}{match[1] or ''}", header.doc_of(number))
        return Entry(f"#define {name}")

    def find_uses(self):
        """Guide pages and examples whose code uses a name: pages on one question first, then those with most uses."""
        pages = []
        for path in [*sorted((self.root / "docs/guide").rglob("*.md")), *sorted((self.root / "examples").glob("*.[ch]pp"))]:
            text = path.read_text(encoding="utf-8")
            title = re.search(r"^# (.*)", text, re.M)[1] if path.suffix == ".md" else f"`{path.relative_to(self.root)}`"
            code = "\n".join(re.findall(r"^```(?:cpp|c\+\+)\n(.*?)^```", text, re.M | re.S)) if path.suffix == ".md" else text
            pages.append((title, f"{TO_ROOT}/{path.relative_to(self.root)}".replace(f"{TO_ROOT}/docs/", "../"), code))
        for name in self.names.values():
            pattern = re.compile(rf"(?<![\w:])(?:filch::)?{name.short}\b" if "::" in name.short or name.kind == "macro"
                                 else rf"\bfilch::{name.short}\b")
            counted = [(len(pattern.findall(code)), title, link) for title, link, code in pages]
            name.uses = [each[1:] for each in sorted(counted, key=lambda each: (rank_of(each[2]), -each[0])) if each[0]]

    def lacks(self):
        """Lines `NAME WHAT` of what a public name lacks: a docstring, an example, a topic."""
        listed = {name for every in self.topics.values() for name in every}
        for full, name in sorted(self.names.items()):
            if not name.is_documented:
                yield f"{full} docstring"
            if not name.uses and not name.is_own and not name.deprecated:
                yield f"{full} example"
            if name.short not in listed and not name.is_own:
                yield f"{full} topic"
        for gone in sorted(listed - {name.short for name in self.names.values() if not name.is_own}):
            yield f"{gone} public name"

    # Pages

    def link(self, name, door):
        page = "" if door in name.doors else name.doors[0].replace(".hpp", ".md")
        return f"{page}#{name.anchor}"

    def text(self, line, door, own=None):
        """Prose for Markdown: public names become links, except those that a parameter or member of `own` hides."""
        scope = own.full.rpartition("::")[0] if own and "::" in own.full else "filch"
        parts = []
        for part in SPAN.split(line):
            if part.startswith("`") and len(part) > 2:
                word = re.sub(r"\(.*\)$", "", part.strip("`")).removeprefix("filch::")
                name = self.names.get(f"{scope}::{word}") or self.names.get(f"filch::{word}")
                is_link = name and not name.is_own and name is not own and (not own or word not in own.inner_names or "::" in part)
                parts.append(f"[{part}]({self.link(name, door)})" if is_link else part)
            else:
                part = re.sub(r"\b(\w+/[\w/.-]+\.(?:cpp|hpp|md))\b", self.path_link, part)
                parts.append(re.sub(r"([*])", r"\\\1", part).replace("<", "&lt;"))
        return "".join(parts)

    def path_link(self, match):
        path = next((path for path in (match[1], f"filch/{match[1]}") if (self.root / path).is_file()), None)
        return f"[{match[1]}]({TO_ROOT}/{path})" if path else match[1]

    def docstring(self, doc, door, own):
        for paragraph in paragraphs(doc):
            if paragraph.startswith("```"):
                yield paragraph
                continue
            label = LABEL.match(paragraph)
            yield (f"**{label[1]}** {self.text(label[2], door, own)}" if label else self.text(paragraph, door, own)) + "\n"

    def members(self, entry, door, name):
        """Data as a list, functions with their declaration; those right below another one share its docstring."""
        groups = []
        for member in entry.members:
            last = groups[-1][0] if groups else member
            if groups and not member.doc and not member.is_data and not last.is_data and last.kind != "scope" \
                    and (not last.doc or (member.follows and member.called == last.called)):
                groups[-1].append(member)
            else:
                groups.append([member])
        for first, *others in groups:
            if first.is_data:
                told = self.text(" ".join(" ".join(paragraphs(first.doc)).split()), door, name)
                yield f"- `{' '.join(first.text.rstrip(';').split())}`" + (f": {told}" if told else "")
            else:
                yield "\n" + fence([first.text, *(each.text for each in others)])
                yield from self.docstring(first.doc, door, name)
                if first.members:
                    yield "Its members:\n"
                yield from self.members(first, door, name)

    def section(self, name, door):
        yield f"### `{name.short}`\n"
        if name.deprecated:
            yield f"**Deprecated:** {self.advice(name, door)}.\n"
        blocks, last = [], None
        for entry in name.entries:
            if last is not None and (not entry.doc or entry.doc == last):
                blocks[-1][0].append(entry)
            else:
                blocks.append(([entry], entry.doc))
            last = entry.doc or last
        for together, doc in blocks:
            yield fence([entry.text for entry in together])
            yield from self.docstring(doc, door, name)
            for entry in together:
                if entry.remarks:
                    yield " ".join(entry.remarks) + "\n"
                if entry.members:
                    yield "**Values**\n" if name.kind == "enum" else "**Members**\n"
                    yield "\n".join(self.members(entry, door, name)).strip() + "\n"
        if name.uses:
            yield "**Used in:** " + ", ".join(f"[{title}]({link})" for title, link in name.uses[:USES]) + "\n"

    def advice(self, name, door):
        return self.text(re.sub(r"^(use|call) ([\w:]+)", r"\1 `\2`", name.deprecated), door)

    def first_sentence(self, name, door):
        if name.deprecated:
            return f"deprecated; {self.advice(name, door)}"
        docs = [entry.doc for entry in name.entries if entry.doc]
        told = next((doc for doc in docs if not REFERS.match(doc[0])), docs[0] if docs else [])
        told = re.sub(r"^Option: (\w)", lambda match: match[1].upper(), (paragraphs(told) or [""])[0])
        sentence = re.match(r"(?:`[^`]*`|.)*?(?:[.:](?=\s|$)|$)", told)[0].rstrip(":.")
        return self.text(sentence, door, name)

    def contents(self, here, door):
        for title, topic in self.topics.items():
            if of := [name for short in topic for name in here if name.short == short and not name.is_own]:
                yield title, of

    def about(self, door):
        lines = (self.root / "filch" / door).read_text(encoding="utf-8").splitlines()
        return re.sub(r"\s*Guide: \S+", "", " ".join(line.removeprefix("//").strip() for line in lines if line.startswith("//")))

    def page(self, door):
        here = [name for name in self.names.values() if door in name.doors]
        yield f"# `<filch/{door}>`\n\n{self.text(self.about(door), door)}\n"
        yield fence([f"#include <filch/{door}>"])
        if any("(range" in entry.text for name in here for entry in name.entries):
            yield CALLS
        chosen = list(self.contents(here, door))
        for title, of in chosen:
            yield f"**{title}**\n"
            yield "\n".join(f"- [`{name.short}`](#{name.anchor}): {self.first_sentence(name, door)}" for name in of) + "\n"
        for title, of in chosen:
            yield f"## {title}\n"
            for name in of:
                yield from self.section(name, door)

    def index(self):
        yield "# Reference by topic\n\nEvery public name of filch by topic, for a reader of code that uses it. All stand in the namespace"
        yield "`filch`, which this reference leaves out. [The same by name](names.md).\n"
        yield "| header | what it gives |\n|---|---|"
        for door in self.doors.names:
            if any(door in name.doors for name in self.names.values()):
                yield f"| [`<filch/{door}>`]({door.replace('.hpp', '.md')}) | {self.text(self.about(door), None)} |"
        for title, of in self.contents(list(self.names.values()), None):
            yield f"\n## {title}\n"
            yield from (f"- [`{name.short}`]({self.link(name, None)}): {self.first_sentence(name, None)}" for name in of)

    def by_name(self):
        yield "# Reference by name\n\nEvery public name of filch in the order of the alphabet, and the header that gives it."
        yield "[The same by topic](README.md).\n\n| name | kind | header |\n|---|---|---|"
        for name in sorted(self.names.values(), key=lambda name: (name.short.rpartition("::")[2].lower(), name.short)):
            if not name.is_own:
                yield f"| [`{name.short}`]({self.link(name, None)}) | {name.kind} | {', '.join(f'`<filch/{door}>`' for door in name.doors)} |"

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        pages = {"README.md": self.index(), "names.md": self.by_name()}
        pages |= {door.replace(".hpp", ".md"): self.page(door) for door in self.doors.names
                  if any(door in name.doors for name in self.names.values())}
        for page, lines in pages.items():
            (folder / page).write_text(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n", encoding="utf-8")
        return len(pages)


CALLS = """Algorithms are objects, and take a call in several forms:

- `range` is a random-access range with a size, or two iterators `first, last`.
- `stream` is a chain of [`views`](#views).
- Options come first: `sort(with(deterministic), range)`. See [`with`](#with).
"""


def rank_of(link):
    return 0 if "/how/" in link or "/tutorial/" in link else 2 if "/from/" in link else 1


def read_topics(text):
    topics = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            if not line.startswith(" "):
                title, _, line = line.partition(":")
                topics[title] = []
            topics[title] += line.split()
    return topics


def judge(lacks, kept):
    """What differs from the kept rows, for the reader of the test's output."""
    new, old = sorted(set(lacks) - set(kept)), sorted(set(kept) - set(lacks))
    said = [f"  {line.rpartition(' ')[0]} has no {line.rpartition(' ')[2]}" for line in new if "public name" not in line]
    said += [f"  {line.split()[0]} is a topic's, but no public name" for line in new if "public name" in line]
    said += [f"  {line}: is there now; delete the row in {RATCHET} (--shrink)" for line in old]
    if new:
        said += ["Write a docstring (HACKING.md), show the name in examples/ or docs/guide, or list it in tools/reference/topics.txt.",
                 "A name that users do not call says so in its docstring: `For filch's own parts.`"]
    return said


def main(argv=None):
    parser = argparse.ArgumentParser(prog="reference.py", description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, help="the folder for the pages")
    parser.add_argument("--check", action="store_true", help=f"write nothing; compare with {RATCHET}")
    parser.add_argument("--shrink", action="store_true", help=f"delete the rows of {RATCHET} that are no longer true")
    parser.add_argument("--root", type=Path, default=HERE.parents[1], help="the tree to look at")
    parser.add_argument("--compiler", help="a clang++")
    chosen = parser.parse_args(argv)
    if [chosen.check, chosen.shrink, bool(chosen.out)].count(True) != 1:
        parser.error("give a folder, --check or --shrink")
    compiler = names.found_compiler(chosen.compiler)
    if compiler is None:
        print("reference: skipped, as clang++ is not installed")
        return names.SKIPPED
    doors = names.Doors(chosen.root)
    with_asio = names.has_asio(compiler, chosen.root)
    dump, macros = names.ask(chosen.root, compiler, doors, with_asio)
    made = Reference(chosen.root, list(names.declarations(dump)), macros, doors)
    lacks = list(made.lacks())
    print(f"reference: {len(made.names)} names, " + ", ".join(
        f"{sum(line.endswith(' ' + what) for line in lacks)} without {what}" for what in LACKS))
    if chosen.out:
        print(f"reference: {made.write(chosen.out)} pages in {chosen.out}")
        return 0
    if chosen.shrink and not with_asio:
        sys.exit("reference: install Asio first, or the rows of <filch/io.hpp> are lost")
    rows = (chosen.root / RATCHET).read_text(encoding="utf-8").splitlines()
    if chosen.shrink:
        rows = [row for row in rows if row.startswith("#") or row in lacks]
        (chosen.root / RATCHET).write_text("\n".join(rows) + "\n", encoding="utf-8")
    kept = [row for row in rows if row and not row.startswith("#")]
    if not with_asio:
        lacks, kept = ([line for line in lines if "io::" not in line] for lines in (lacks, kept))
    said = judge(lacks, kept)
    print("\n".join(said), end="\n" if said else "")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
