"""Nothing half-done stays behind: FIXME, `#if 0`, code in comments, prints for debugging, conflict marks."""

import re

from cpp import comment_blocks

UNFINISHED = re.compile(r"\b(?:FIXME|XXX|HACK)\b|\bTODO\b(?![^\n]*(?:#\d+|\bnotes?[ /]\d+))")
SWITCHED_OFF = re.compile(r"^[ \t]*#[ \t]*if[ \t]+(?:0|1|true|false)[ \t]*$", re.M)
CONFLICT = re.compile(r"^(?:<{7} |>{7} )", re.M)
PRINT = re.compile(r"\bstd::(?:cout|cerr|clog|print|println)\b|(?<![\w.])(?:std::)?(?:v?f?printf|f?puts|f?putchar|perror)\s*\(")
CALL_OR_ASSIGNMENT = r"[A-Za-z_][\w:<>.\[\]]*(?:(?:->|\.)\w+)*"
CODE_IN_COMMENT = re.compile(
    rf"""\s*(?:
        \#\s*(?:include\s*[<"]|(?:ifdef|ifndef|define)\s+\w|if\s+\(?(?:defined|\w+\s*[<>=]=)|endif\b).*
      | (?:return|co_return|co_await|co_yield|throw)\b[^;]*;
      | (?:break|continue)\s*;
      | (?:if|for|while|switch)\s*\(.*\)\s*(?:\{{|[^;]*;)
      | (?:(?:const|auto|static|constexpr|unsigned|volatile)\s+)*{CALL_OR_ASSIGNMENT}[\s*&]*(?:\s\w+)?\s*[-+|&^]?=\s*[^;=]+;
      | {CALL_OR_ASSIGNMENT}\([^;]*\)\s*(?:;|\{{)
      | \}}\s*(?:else\s*\{{)?;?
    )\s*$""", re.X)
PYTHON_DEBUG = re.compile(r"^[ \t]*(?:breakpoint\(\)|import pdb\b)", re.M)
SCRIPT_DEBUG = re.compile(r"\bconsole\.(?:log|debug)\(|^[ \t]*debugger\b", re.M)
HASH_COMMENT = re.compile(r"^[ \t]*#[ \t]*[^\n]*", re.M)


def check(tree, report):
    for file in tree.files.values():
        if file.is_cpp:
            check_cpp(file, report)
        elif file.is_cmake or file.pure.suffix in (".py", ".sh") or file.path in ("run", "test"):
            for comment in HASH_COMMENT.finditer(file.text):
                find_unfinished(comment[0], file, file.line_of(comment.start()), report)
        find_all(CONFLICT, file.text, file, report, "a mark of a merge conflict.", "resolve it.")
        debug = PYTHON_DEBUG if file.pure.suffix == ".py" else SCRIPT_DEBUG if file.pure.suffix in (".ts", ".tsx",
            ".js") else None
        if debug:
            find_all(debug, file.text, file, report, "`{}` is for debugging.", "delete it.")


def check_cpp(file, report):
    find_all(SWITCHED_OFF, file.code, file, report, "`{}` switches code off or on for good.",
             "delete what is not compiled; git remembers it.")
    if file.in_library and not file.is_test and not file.path.startswith(("filch/base/", "filch/testing/")):
        find_all(PRINT, file.code, file, report, "`{}` prints from the library.",
                 "return the value or throw; a broken invariant goes through FILCH_ASSERT, which prints it.")
    for comment in file.lexed.comments:
        find_unfinished(comment.text, file, comment.line, report)
    plain = [comment for comment in file.lexed.comments if not comment.is_doc and not comment.is_trailing]
    for first_line, block in comment_blocks(plain):
        find_code(file, first_line, block, report)


def find_code(file, first_line, block, report):
    """What follows a line that ends in a colon is an example, not a remnant."""
    for number, line in enumerate(block.split("\n"), first_line):
        if line.rstrip().endswith(":"):
            return
        if CODE_IN_COMMENT.match(line):
            report.find(file.path, number, f"`{line.strip()}` is code in a comment.",
                        "delete it, git remembers it; an example follows a line that ends in a colon.")


def find_unfinished(text, file, line, report):
    if match := UNFINISHED.search(text):
        report.find(file.path, line, f"`{match[0]}` without an issue or a note.",
                    "do it now, or write TODO(#issue), or say in the room's README what is missing.")


def find_all(pattern, text, file, report, message, instead):
    for match in pattern.finditer(text):
        report.find(file.path, file.line_of(match.start()), message.format(match[0].strip().rstrip("( ")), instead)
