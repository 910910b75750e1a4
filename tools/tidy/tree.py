"""The source tree as the checks see it: every text file, which room it belongs to, and whether it is a test."""

import os
import re
from functools import cached_property
from pathlib import Path, PurePosixPath

import cpp

CPP_SUFFIXES = (".hpp", ".cpp", ".h", ".hh", ".cc", ".c", ".ipp")
TEXT_SUFFIXES = CPP_SUFFIXES + (".md", ".txt", ".cmake", ".in", ".py", ".sh", ".json", ".yml", ".yaml", ".toml",
                                ".ts", ".tsx", ".js", ".mjs", ".html", ".css", ".pml", ".rs", ".go", ".supp", ".rb", ".nix")
TEXT_NAMES = ("run", "test", "LICENSE", "Makefile", "Containerfile", "control", "rules")
TEST_STEM = re.compile(r".*_(test|model|stress|fuzz|libfuzzer|bench)$")
SKIPPED_FOLDERS = re.compile(r"\.(?!(?:ci|github)$)|build|node_modules$|__pycache__$")
GENERATED_MARKS = {"CMakeCache.txt", "CACHEDIR.TAG", "pyvenv.cfg"}


def room_of(path):
    """The folder under filch/, `doors` for filch/*.hpp, otherwise the top folder (empty for files in the root)."""
    parts = path.split("/")
    if parts[0] == "filch":
        return parts[1] if len(parts) > 2 else "doors"
    return parts[0] if len(parts) > 1 else ""


class SourceFile:
    """One text file; the lexed views are made on first use and kept."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.pure = PurePosixPath(path)
        self.room = room_of(path)
        self.is_cpp = self.pure.suffix in CPP_SUFFIXES
        self.is_markdown = self.pure.suffix == ".md"
        self.is_cmake = self.pure.name == "CMakeLists.txt" or self.pure.suffix == ".cmake"
        self.is_test = bool(TEST_STEM.match(self.pure.stem)) or "must_not_compile" in self.pure.parts

    @property
    def in_library(self):
        return self.path.startswith("filch/")

    @cached_property
    def lexed(self):
        return cpp.lex(self.text)

    @property
    def code(self):
        """The C++ text without comments and without what stands inside string literals; every offset is kept."""
        return self.lexed.code

    @cached_property
    def lines(self):
        return self.text.splitlines()

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1

    @cached_property
    def includes(self):
        """(line, header, is_quoted) for each #include."""
        return [(self.line_of(m.start("hash")), m["header"],
                 m["open"] == '"') for m in cpp.INCLUDE.finditer(self.lexed.uncommented)
                if self.code[m.start("hash")] == "#"]


class Tree:
    def __init__(self, texts, root=None):
        self.root = root  # None for a tree that exists only in a test
        self.files = {path: SourceFile(path, text) for path, text in sorted(texts.items())}

    @classmethod
    def read(cls, root):
        """Reads what people wrote below `root`: hidden, build and package folders are left out."""
        texts = {}
        for folder, folders, names in os.walk(root):
            if GENERATED_MARKS & set(names) and Path(folder) != Path(root):
                folders.clear()
                continue
            folders[:] = [name for name in folders if not SKIPPED_FOLDERS.match(name)]
            for name in names:
                if name.endswith(TEXT_SUFFIXES) or name in TEXT_NAMES:
                    path = Path(folder, name)
                    texts[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8", errors="replace")
        return cls(texts, Path(root))

    @cached_property
    def cpp_files(self):
        return [file for file in self.files.values() if file.is_cpp]

    @cached_property
    def markdown_files(self):
        return [file for file in self.files.values() if file.is_markdown]

    @cached_property
    def folders(self):
        return {str(parent) for file in self.files.values() for parent in file.pure.parents} - {"."}

    def resolve_include(self, file, header, is_quoted):
        """The path inside the tree that an #include means, or None for a header from elsewhere."""
        candidates = [os.path.normpath(f"{file.pure.parent}/{header}")] if is_quoted else []
        return next((path for path in candidates + [header] if path in self.files), None)

    def data(self, name):
        """The lines of one of tidy's own data files, without comments: (line number, text)."""
        file = self.files.get(f"tools/tidy/{name}")
        if file is None:
            return []
        lines = ((number, line.split("#")[0].strip()) for number, line in enumerate(file.lines, 1))
        return [(number, line) for number, line in lines if line]
