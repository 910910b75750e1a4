"""What a header says about a name: its declaration as a user needs it, its docstring, its public members."""

import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tidy"))
import cpp  # noqa: E402

ACCESS = re.compile(r"\b(public|private|protected)\s*:(?!:)")
# A coroutine's machinery, copies and destructors say nothing new, and friends and assertions are no members.
SILENT = re.compile(r"\s*(?:friend|static_assert|using|typedef|~|virtual\s*~)|"
                    r".*\b(?:await_ready|await_suspend|await_resume|what)\b|.*\boperator\s*(?:=|co_await)\s*\(", re.S)
WIDTH = 96
PLACE = re.compile(r",?\s*(?:const )?base::place(?: const&|&)? \w+(?: = \{\})?")  # of a caller, which never gives it
COPY = re.compile(r"(?:constexpr )?(\w+)\((?:const )?\1(?:<\w+>)?(&&?)")
LABELS = "(?:Returns|Cost|Space|Span|Blocks|Cancelling|Threads|Throws|Lifetime|Source|Bench|Example)(?:, \\w+)*: "
LABEL = re.compile(f"({LABELS.strip()})\\s+(.*)")
OWN_PARTS = "filch's own parts"  # a docstring that says so marks what users do not call


@dataclass
class Entry:
    text: str
    doc: list = field(default_factory=list)
    members: list = field(default_factory=list)
    remarks: list = field(default_factory=list)  # facts about the class that its members show
    deprecated: str = ""
    kind: str = "statement"  # or function, scope: as `cpp.Declaration`
    follows: bool = False  # right below another declaration, without a blank line

    @property
    def is_data(self):
        return self.kind == "statement" and ("(*" in self.text or not re.search(r"\(|\boperator\b", self.text.split(" = ")[0]))

    @property
    def called(self):
        found = re.search(r"(\boperator\W+|\w+)\(", re.sub(r"^(?:template|requires).*\n", "", self.text, flags=re.M))
        return found and found[1]

    @property
    def is_own(self):
        return OWN_PARTS in " ".join(self.doc)


class Header:
    """One header, its comments told from its code."""

    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        lexed = cpp.lex(self.text)
        self.code = cpp.one_branch(lexed.code)
        self.bare = lexed.uncommented
        self.found = list(cpp.declarations(lexed.code))

    def line_of(self, at):
        return self.text.count("\n", 0, at) + 1

    def at_line(self, line):
        """The declaration that begins on `line` or, with attributes above it, before."""
        return next((one for one in self.found if self.line_of(one.start) <= line <= self.line_of(one.start + len(one.head))
                     and not one.head.lstrip().startswith(("namespace", "inline namespace"))), None)

    def doc_of(self, line):
        """The lines of the docstring above `line`, or behind the declaration that stands there."""
        while line > 1 and self.lines[line - 2].startswith("#if"):
            line -= 1
        first = line - 1
        while first > 0 and self.lines[first - 1].lstrip().startswith("///") and "///<" not in self.lines[first - 1]:
            first -= 1
        doc = [re.sub(r"^\s*/// ?", "", each) for each in self.lines[first:line - 1]]
        if not doc and "///<" in self.lines[line - 1]:
            doc = [self.lines[line - 1].partition("///<")[2].strip()]
            for each in self.lines[line:]:
                if not each.lstrip().startswith("///<"):
                    break
                doc.append(each.partition("///<")[2].strip())
        return doc

    def entry(self, line):
        """What is declared on `line`. Declarations without a blank line between share the first one's docstring."""
        one = self.at_line(line)
        if one is None:
            return None
        entry = self.entry_of(one)
        at = self.found.index(one)
        while not entry.doc and (one := self.above(at)):
            at = self.found.index(one)
            entry.doc = self.doc_of(self.line_of(one.start))
        return entry

    def above(self, at):
        """The declaration that ends on the line above that of declaration number `at`, or None."""
        line = self.line_of(self.found[at].start)
        for one in reversed(self.found[:at]):
            end = one.end if one.kind != "scope" else cpp.matching_brace(self.code, one.end)
            if one.head.strip() and not one.head.startswith("namespace"):
                if self.line_of(end) == line - 1 and self.column_of(one.start) == self.column_of(self.found[at].start):
                    return one
        return None

    def column_of(self, at):
        return at - self.text.rfind("\n", 0, at) - 1

    def calls(self, name, text):
        """How to call the object `name`, declared by `text`, of a type in filch::algo: what its `run` takes."""
        kind = re.search(r"\balgo::(\w+_fn)\b", text)
        scope = kind and next((one for one in self.found if re.search(rf"\b{kind[1]}\b\s*(?::|$)", one.head)
                               and one.kind == "scope"), None)
        if not scope:
            return []
        inside = Entry("")
        opening = scope.start + len(scope.head)
        self.add_members(inside, scope, opening, cpp.matching_brace(self.code, opening))
        return [call for each in inside.members if (call := call_of(name, each.text))]

    def entry_of(self, one):
        head = self.bare[one.start:one.start + len(one.head)]
        deprecated = re.search(r'\[\[deprecated\(\s*"(.*?)"\)\]\]', head)
        entry = Entry(readable(head, one.kind, self.column_of(one.start)), self.doc_of(self.line_of(one.start)),
                      deprecated=deprecated[1] if deprecated else "", kind=one.kind)
        if one.kind != "scope" and PLACE.search(head):
            entry.remarks = ["A further parameter is the place of the call, and has a default: leave it out."]
        if one.kind == "scope":
            opening = one.start + len(one.head)
            closing = cpp.matching_brace(self.code, opening)
            if re.search(r"\benum\b", head):
                entry.members = self.enumerators(opening + 1, closing)
            else:
                self.add_members(entry, one, opening, closing)
        return entry

    def enumerators(self, start, end):
        """Those with a docstring, and the others by name."""
        found = []
        for match in re.finditer(r"(\w+)\s*(?:=[^,}]*)?(?:,|$)", self.code[start:end].rstrip()):
            found.append(Entry(match[1], self.doc_of(self.line_of(start + match.start()))))
        return found

    def add_members(self, entry, scope, opening, closing):
        inside = one_level(self.code[opening + 1:closing])
        own_head = re.sub(r"template\s*<.*?>(?=\s*(?:class|struct|requires))", "", scope.head, flags=re.S)
        is_public = "class" not in own_head.split()
        copies = {}  # by the reference that the constructor takes: whether there is one
        labels = [(match.start(), match[1] == "public") for match in ACCESS.finditer(inside)]
        for one in self.found:
            offset = one.start - opening - 1
            if not 0 <= offset < len(inside) or inside[offset] == "\0" or not one.head.strip():
                continue
            if not next((public for at, public in reversed(labels) if at < offset), is_public):
                continue
            member = self.entry_of(one)
            member.follows = self.above(self.found.index(one)) is not None
            whole = self.bare[one.start:one.end]
            copy = COPY.match(member.text)
            if copy:
                copies[copy[2]] = "= delete" not in whole
            if re.search(r"\boperator co_await\b", one.head):
                entry.remarks = ["Awaited with `co_await`."]
            is_silent = SILENT.match(one.head) or copy or "= delete" in whole or one.kind == "scope"
            if not member.is_own and (member.doc or not is_silent):
                entry.members.append(member)
        if copies.get("&&") and not copies.get("&"):
            entry.remarks.append("Can be moved, but not copied.")
        elif not copies.get("&", True):
            entry.remarks.append("Can be neither copied nor moved.")


def one_level(body):
    """`body` with what stands in braces replaced, so that a label or a member of it is on this level."""
    kept, depth = [], 0
    for char in body:
        depth -= char == "}"
        kept.append("\0" if depth > 0 else char)
        depth += char == "{"
    return "".join(kept)


def readable(head, kind, column=0):
    """A declaration without macros, attributes of compilers, initializers of members, and places of callers."""
    text = re.sub(r"\bFILCH_\w+(?:\((?:[^()]|\([^()]*\))*\))?\s?", "", head)
    text = re.sub(r"\binline ", "", text)
    text = re.sub(r"\[\[(?!nodiscard)[^\]]*\]\]\s*", "", text)
    text = PLACE.sub("", text)
    text = text.replace("base::steady_time", "std::chrono::steady_clock::time_point")
    if kind == "function":
        text = without_initializers(text)
    if kind == "scope":
        text = without_internal_bases(text)
    # What the source has on lines of their own stays there
    parts = re.split(rf"\n {{{column}}}(?! )", text)
    lines = [laid_out(re.sub(r"(?<=[(<]) ", "", " ".join(part.split()))) for part in parts if part.strip()]
    return "\n".join(lines) + ";"


def laid_out(text):
    """Template parameters on a line of their own, and lines that are not too long."""
    lines = []
    while text.startswith("template <"):
        end = closing_angle(text, text.index("<")) + 1
        lines.append(text[:end])
        text = text[end:].lstrip()
    if requires := re.match(r"requires\s?(?=\()", text):
        end = closing_parenthesis(text, requires.end()) + 1
        if text[end:end + 1] == " " and not re.match(r"\s*(?:&&|\|\|)", text[end:]):
            lines.append(text[:end])
            text = text[end:].lstrip()
    return "\n".join(wrapped(each) for each in lines + [text] if each)


def wrapped(text):
    """Broken behind commas alone."""
    lines = textwrap.wrap(re.sub(r"(?<!,) ", "\0", text), WIDTH, subsequent_indent="    ", break_long_words=False,
                          break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def closing_angle(text, at):
    depth = 0
    for place in range(at, len(text)):
        depth += text[place] == "<"
        depth -= text[place] == ">" and text[place - 1] != "-"
        if depth == 0:
            return place
    return len(text) - 1


def closing_parenthesis(text, at):
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place
    return len(text) - 1


def call_of(name, text):
    """`sort(range, proj = std::identity{})` of `run(const settings& how, It first, std::uint64_t count, Proj proj = {})`."""
    text = " ".join(text.split())
    inside = re.search(r"\brun\(const settings& how, (.*)\)", text)
    if not inside:
        return None
    usual = dict(re.findall(r"(?:class|[\w:]+) (\w+) = ([\w:]+(?:<[^<>]*>)?)", text.partition(" run(")[0]))
    words = []
    for word in re.split(r", (?![^<(]*[>)])", inside[1]):
        if match := re.match(r"std::uint64_t (\w*)count(\d*)$", word):
            words[-1] = words[-1] if match[1] else "range" + match[2]
        elif re.match(r"const S& \w+$", word):
            words.append("stream")
        elif match := re.match(r"(.*?)[&.\s]*\b(\w+)( = .*)?$", word):
            default = (match[3] or "").replace("{}", usual.get(match[1].strip(), "") + "{}") if match[3] else ""
            words.append(match[2] + default)
    return f"{name}({', '.join(words)})"


def without_initializers(text):
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == ":" and depth == 0 and text[at - 1] != ":" and text[at + 1:at + 2] != ":" and ")" in text[:at]:
            return text[:at]
    return text


def without_internal_bases(text):
    """Keeps bases that a user can name: those of the standard and of filch itself."""
    match = re.search(r"(?<!:):(?!:)", text)
    if not match or "enum" in text:
        return text
    bases = [base.strip() for base in re.split(r",(?![^<]*>)", text[match.end():])]
    named = [base for base in bases if re.match(r"(?:public )?(?:std::\w+(?:::\w+)*|\w+)$", base)]
    return text[:match.start()].rstrip() + (" : " + ", ".join(named) if named else "")


def paragraphs(doc):
    """Docstring lines as paragraphs, and code as such. A label begins one, also behind a sentence."""
    found, code, after_blank = [], [], True
    for line in [*doc, ""]:
        if line.startswith("    ") and after_blank:
            code.append(line[4:])
            continue
        if code:
            found += [[fence(code)], []]
            code = []
        after_blank = not line.strip()
        if after_blank or LABEL.match(line) or not found:
            found.append([])
        found[-1].append(line.strip())
    together = [" ".join(lines).strip() if "```" not in lines[0] else lines[0] for lines in found if lines]
    behind = re.compile(rf"(?<=[.;]) (?={LABELS})")
    return [part for text in together if text for part in ([text] if text.startswith("```") else behind.split(text))]


def fence(lines):
    return "```cpp\n" + "\n".join(lines) + "\n```\n"
