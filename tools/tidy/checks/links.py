"""Relative links of the Markdown files, their anchors, and the `Example:` lines of docstrings lead somewhere."""

import os
import re
from urllib.parse import unquote

from markdown import anchors, links

ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
EXAMPLE_LINE = re.compile(r"^[ \t]*Example:[ \t]+([\w./-]+\.\w+)")
LINE_ANCHOR = re.compile(r"L(\d+)(?:-L(\d+))?$")


def check(tree, report):
    for file in tree.markdown_files:
        for offset, target in links(file.text):
            if not ELSEWHERE.match(target):
                check_link(tree, file, file.line_of(offset), unquote(target), report)
    for file in tree.cpp_files:
        for comment in file.lexed.comments if "Example:" in file.text else ():
            example = EXAMPLE_LINE.match(comment.text)
            if example and not exists(tree, example[1]):
                report.find(file.path, comment.line, f"the example {example[1]} does not exist.",
                            "name the file that holds it now.")


def check_link(tree, file, line, target, report):
    path, _, anchor = target.partition("#")
    path = path.partition("?")[0]
    place = os.path.normpath(f"{file.pure.parent}/{path}") if path else file.path
    if path.startswith("/"):
        place = path.lstrip("/")
    if place.startswith(".."):
        report.find(file.path, line, f"the link {target} leaves the project.", "link to the published page.")
    elif not exists(tree, place):
        report.find(file.path, line, f"the link {target} leads nowhere.", "name the file that holds it now.")
    elif anchor and place in tree.files and not has_anchor(tree.files[place], anchor):
        report.find(file.path, line, f"{place} has no heading for #{anchor}.", "use the heading as it is spelled now.")


def exists(tree, place):
    is_known = place in tree.files or place.rstrip("/") in tree.folders or place == "."
    return is_known or tree.root is not None and (tree.root / place).exists()


def has_anchor(file, anchor):
    lines = LINE_ANCHOR.match(anchor)
    if lines:
        return int(lines[2] or lines[1]) <= len(file.lines)
    return not file.is_markdown or anchor.lower() in anchors(file.text)
