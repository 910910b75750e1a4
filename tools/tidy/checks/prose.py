"""Plain English: no relative clause without a noun, no sentence over 40 words, no line over 100 columns, no rejected word."""

import re
from dataclasses import dataclass, field

import markdown
from cpp import blank, comment_blocks

COLUMNS = 100
SENTENCE_WORDS = 40
DATA = "tools/tidy/prose.txt"
WORDS = "tools/tidy/words.txt"
# What has "who": people. A thread, a job and a caller are "it".
PEOPLE = (r"(?:users?|readers?|writers?|authors?|engineers?|developers?|maintainers?|newcomers?|people|persons?|"
          r"teams?|those|anyone|someone|everyone)")
HEADLESS = re.compile(r"(?<![\w/-])(?:who|whoever|whom|whomever)(?![\w-])", re.I)
OF_PEOPLE = re.compile(rf"\b{PEOPLE}[,)]? +\(?$", re.I)
QUESTION = re.compile(r"(?:^|(?<=[.!?|#*:(] )|(?<=\n))\s*who\w*\b[^.!?]*\?", re.I)
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')*_`]*\s+(?=[\"'(*_`\[]*[A-Z0-9`])|\n\s*\n|:\s*\n")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+|^\s*(?:[A-Z]\w+):\s+|^\s*#+\s.*$|^\s*[|].*$", re.M)
TEST_NAME = re.compile(r"\bTEST(?:_[PF])?\s*\(\s*\w+\s*,\s*(\w+)\s*\)")
TEXT_SUFFIXES = (".py", ".sh", ".cmake", ".toml", ".pml", ".ts", ".tsx", ".mjs", ".yml", ".rb", ".nix")
NOT_OURS = re.compile(r"^(?:docs/evidence\.(?:md|txt)|bench/results/|tools/viewer/dist/|tools/tidy/|LICENSE)")


@dataclass
class Text:
    """What one file says to people: passages with the line on which each begins."""
    passages: list = field(default_factory=list)  # (line, text); sentences are looked for in these
    words: list = field(default_factory=list)     # (line, text) of names and messages: single words only


def check(tree, report):
    listed = read_listed(tree, report)
    rejected = rejected_words(tree)
    total = 0
    for file in tree.files.values():
        found = [] if NOT_OURS.match(file.path) else list(faults(file, rejected))
        total += len(found)
        number, allowed = listed.pop(file.path, (0, 0))
        if len(found) > allowed:
            for line, message, instead in found:
                report.find(file.path, line, message + (f" ({len(found)} such in this file; {DATA} allows {allowed})"
                                                        if allowed else ""), instead)
        elif number and not found:
            report.find(DATA, number, f"{file.path} reads well by now.", "delete this line, so that it cannot grow back.")
    for path, (number, _) in listed.items():
        report.find(DATA, number, f"there is no {path}.", "delete this line.")
    report.note(f"{total} faults in files that {DATA} lists; each row may only shrink")


def fixed(tree):
    """(path, text) of the list with what each file has now, if that is less."""
    if DATA not in tree.files:
        return
    rejected = rejected_words(tree)
    lines = []
    for line in tree.files[DATA].lines:
        path, _, allowed = line.rpartition(" ")
        if line.startswith("#") or not path:
            lines.append(line)
            continue
        count = len(list(faults(tree.files[path], rejected))) if path in tree.files else 0
        if count:
            lines.append(f"{path} {min(count, int(allowed))}")
    text = "\n".join(lines) + "\n"
    if text != tree.files[DATA].text:
        yield DATA, text


def faults(file, rejected):
    """(line, message, what to do instead), sorted by line."""
    text = text_of(file)
    found = []
    rejected = [(pattern, old, new) for pattern, old, new, folders in rejected
                if not folders or file.path.startswith(folders)]
    for line, passage in text.passages + text.words:
        found += [(line + passage.count("\n", 0, at), *what) for at, what in faulty_words(passage, rejected)]
    for line, passage in text.passages:
        found += [(line + passage.count("\n", 0, at), *what) for at, what in long_sentences(passage)]
    return sorted(found + list(long_lines(file)))


def text_of(file):
    text = Text()
    if file.is_markdown:
        text.passages.append((1, markdown.without_code(markdown.prose(file.text))))
    elif file.is_cpp:
        text.passages += comment_blocks(file.lexed.comments)
        text.words += [(file.line_of(m.start()), m[1].replace("_", " ")) for m in TEST_NAME.finditer(file.code)]
        at = 0
        for string in file.lexed.strings:
            at = file.lexed.uncommented.index(string, at)
            text.words.append((file.line_of(at), string))
            at += len(string)
    elif file.is_cmake or file.pure.suffix in TEXT_SUFFIXES or file.pure.name in ("run", "test", "Containerfile", "control", "rules"):
        text.words.append((1, file.text))
    return text


def faulty_words(passage, rejected):
    stated = QUESTION.sub(lambda m: blank(m[0]), passage)
    for match in HEADLESS.finditer(stated):
        if not OF_PEOPLE.search(stated[:match.start()].replace("\n", " ")):
            yield match.start(), (f"`{match[0]}` without a noun.",
                                  "name what does it: \"the thread that ...\", \"a caller that ...\".")
    for pattern, old, new in rejected:
        for match in pattern.finditer(passage):
            yield match.start(), (f"`{old}` is one of our old words.", f"the field says: {new}.")


def long_sentences(passage):
    plain = ITEM.sub("\n\n", passage)
    for part in SENTENCE_END.split(plain):
        count = len(re.findall(r"[A-Za-z][\w'-]*", part))
        if count > SENTENCE_WORDS:
            where = passage.find(part.strip()[:20])
            yield max(where, 0), (f"a sentence of {count} words; the limit is {SENTENCE_WORDS}.", "make one claim a sentence.")


def long_lines(file):
    if not (file.is_cpp or file.is_markdown):
        return
    fenced = markdown.prose(file.text).splitlines() if file.is_markdown else file.lines
    for number, (line, seen) in enumerate(zip(file.lines, fenced), 1):
        is_whole = re.match(r"\s*(?:\||<|!?\[[^\]]*\]\(\S+\)$|\S+$)", line)
        if len(line) > COLUMNS and seen.strip() and not is_whole:
            yield number, f"a line of {len(line)} columns; the limit is {COLUMNS}.", "break it."


def rejected_words(tree):
    """[(pattern, old word, new word, folders)] of words.txt: `old -> new`, or `old -> new : folder folder`."""
    words = []
    for _, line in tree.data("words.txt"):
        old, _, rest = line.partition("->")
        new, _, folders = rest.partition(" : ")
        old = old.strip()
        pattern = re.compile(rf"(?<![\w-])(?i:{re.escape(old[0])}){re.escape(old[1:])}(?![\w-])")
        words.append((pattern, old, new.strip(), tuple(folder + "/" for folder in folders.split())))
    return words


def read_listed(tree, report):
    """{path: (line number, faults allowed)}"""
    listed = {}
    for number, line in tree.data("prose.txt"):
        path, _, count = line.rpartition(" ")
        if path and count.isdecimal():
            listed[path.strip()] = (number, int(count))
        else:
            report.find(DATA, number, f"cannot read `{line}`.", "write `path faults`.")
    return listed
