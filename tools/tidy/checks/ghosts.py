"""Names in back-ticks, and `name()`, in comments and READMEs exist in the code or are listed in foreign.txt."""

import difflib
import re

from cpp import blank, comment_blocks
from markdown import code_spans, prose

CODE_SUFFIXES = {".py", ".sh", ".cmake", ".ts", ".tsx", ".js", ".mjs", ".css", ".html", ".rs", ".go", ".json", ".toml",
                 ".yml", ".yaml", ".in", ".pml"}
SCRIPTS = {"run", "test"}
WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
HASH_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*")
CALL = re.compile(r"(?<![\w`])([A-Za-z_]\w*(?:(?:::|\.|->)~?\w+)*)\(\)")
HISTORY = ("docs/notes/", "docs/papers", "CHANGELOG")
HISTORY_SECTION = re.compile(r"^(#+)[ \t]*(?:why not|rejected|sources|[^\n]*deliberately absent)[^\n]*\n"
                             r"(?:(?!\1(?!#)|#{1,2}[ \t]).*\n?)*", re.M | re.I)
OWN_FILE = re.compile(r"[\w.+/-]*\w\.(?:hpp|cpp|py|md|txt|cmake)$")
DATA_FILE = re.compile(r"\.(?:json|png|csv|svg|log|so|a|o|pc|gz|html|xml)$")
NOT_A_NAME = re.compile(r"""
    "[^"]*" | '[^']*'                  # what a program prints or reads
  | (?<!\w)<[\w .|-]+>                 # <placeholder>
  | [\w./]*\*\w[\w./*]* | \w+\* | \w*\.\.\.\w*     # patterns
  | \$\{?\w+\}? | %\w+                 # variables of a shell or a format
  | \S*://\S* | \S+\#\d+               # addresses, issues
  | (?<!\S)-[\w=,+./-]*                # options of programs
  | (?<!\w)(?=\w*\d)[0-9a-f]{7,40}(?!\w)           # commits
  | (?<!\w)[A-Za-z](?:\d+|_\w{1,3})?(?!\w)         # symbols of a formula
""", re.X)


class Names:
    """What exists: words of the code, paths of the tree, and names that belong to others."""

    def __init__(self, tree):
        self.foreign, foreign_spaces = set(), []
        for _, line in tree.data("foreign.txt"):
            for name in line.split():
                foreign_spaces.append(name) if name.endswith("::") else self.foreign.add(name)
        self.foreign_qualified = re.compile(r"(?<![\w:])(?:" + "|".join(["std::", *foreign_spaces]) + r")[\w:]+")
        self.words, self.paths = set(), set()
        for file in tree.files.values():
            self.words.update(words_of(file))
            parts = file.pure.parts
            for start in range(len(parts)):
                for end in range(start + 1, len(parts) + 1):
                    self.paths.add("/".join(parts[start:end]))
            self.words.update(WORD.findall(file.path))

    def has(self, word):
        return (word in self.words or word in self.foreign or word.startswith("_")
                or word.endswith("_") and any(known.startswith(word) for known in self.words))

    def has_path(self, path):
        path = path.strip("/").removeprefix("./")
        if path.startswith("_"):
            return any(known.endswith(path) for known in self.paths)
        return path in self.paths or any(known.startswith(path) for known in self.paths)

    def missing_in(self, span):
        """The names in a back-ticked span that exist nowhere."""
        bare = NOT_A_NAME.sub(" ", self.foreign_qualified.sub(" ", span))
        looks_like_prose = len(span.split()) > 1
        for chunk in bare.split():
            path = chunk.strip("<>(),;:[]{}\"'")
            if path in self.foreign or path.startswith("/") or DATA_FILE.search(path):
                continue
            if OWN_FILE.match(path):
                if not self.has_path(path):
                    yield path
                continue
            if "/" in path and self.has_path(path):
                continue
            for match in WORD.finditer(chunk):
                is_code = "_" in match[0] or chunk[match.end():match.end() + 2] in ("()",
                    "::") or chunk[:match.start()].endswith("::")
                if (is_code or not looks_like_prose) and not self.has(match[0]):
                    yield match[0]

    def closest(self, name):
        close = difflib.get_close_matches(name, self.words, n=1, cutoff=0.75) if "/" not in name else []
        return f" The closest name is `{close[0]}`." if close else ""


def words_of(file):
    if file.is_cpp:
        unnamed = [comment.text for comment in file.lexed.comments if comment.text.isidentifier()]  # f(int /*steps*/)
        return WORD.findall(file.code) + WORD.findall(" ".join(file.lexed.strings)) + unnamed
    if file.path == "tools/tidy/rooms.txt" or file.is_cmake or file.pure.suffix in CODE_SUFFIXES or file.pure.name in SCRIPTS:
        return WORD.findall(HASH_COMMENT.sub("", file.text))
    return ()


def check(tree, report):
    names = Names(tree)
    for file in tree.cpp_files:
        for first_line, text in comment_blocks(file.lexed.comments):
            look(file.path, first_line, text, names, report)
    for file in tree.markdown_files:
        if not file.path.startswith(HISTORY):
            text = prose(file.text)
            look(file.path, 1, HISTORY_SECTION.sub(lambda m: blank(m[0]), text), names, report)


def look(path, first_line, text, names, report):
    spans = list(code_spans(text))
    outside = text
    for offset, span in spans:
        outside = outside[:offset] + blank(span) + outside[offset + len(span):]
    spans += [(match.start(), match[0]) for match in CALL.finditer(outside)]
    seen = set()
    for offset, span in spans:
        line = first_line + text.count("\n", 0, offset)
        for name in names.missing_in(span):
            if (line, name) not in seen:
                seen.add((line, name))
                report.find(path, line, f"`{name}` exists nowhere in this tree.{names.closest(name)}",
                            "write what it is called now; a name of somebody else goes into tools/tidy/foreign.txt.")
