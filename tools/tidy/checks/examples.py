"""C++ in the docs is copied from a compiled file: the fence stands below a marker and equals what the marker names.

Each program examples/*.cpp has a row in examples/README.md.

In the document:   <!-- example: examples/sum.cpp#sum -->    directly above the fence; without `#sum`, the whole file
In the source:     // [sum]    above and below the lines, as Doxygen's snippets are marked
"""

import re
import textwrap

from markdown import fences

CPP_LANGUAGES = {"cpp", "c++", "cxx", "cc", "hpp"}
MARKER = re.compile(r"<!--\s*example:\s*(?P<path>[^\s#]+)(?:#(?P<name>[\w.-]+))?\s*-->[ \t]*\n[ \t]*\Z")
HISTORY = ("docs/notes/", "CHANGELOG")
LIST = "examples/README.md"


def check(tree, report):
    for file, fence, marker in cpp_fences(tree):
        line = file.line_of(fence.start)
        if not marker:
            report.find(file.path, line, "this C++ is not compiled anywhere.",
                        "move it into an example, write <!-- example: path#name --> above the fence, and run tidy.py --fix.")
            continue
        source = example_text(tree, marker)
        if source is None:
            report.find(file.path, line, f"{spelled(marker)} does not exist.",
                        f"write // [{marker['name'] or 'name'}] above and below the lines in a file that is built.")
        elif source != dedented(file, fence):
            report.find(file.path, line, f"this is no longer what {spelled(marker)} says.", "run tools/tidy/tidy.py --fix.")
    for path in unlisted(tree):
        report.find(path, 1, f"{LIST} has no row for it.", "add one: what it shows, its arguments, and what it prints.")


def unlisted(tree):
    """The programs in examples/ that the list there, if there is one, does not link."""
    page = tree.files.get(LIST)
    return [path for path in sorted(tree.files) if page is not None and re.fullmatch(r"examples/\w+\.cpp", path)
            and f"]({path.removeprefix('examples/')})" not in page.text]


def fixed(tree):
    """(path, new text) of each document whose examples differ from their sources."""
    changed = {}
    for file, fence, marker in reversed(list(cpp_fences(tree))):
        source = example_text(tree, marker) if marker else None
        if source is not None and source != dedented(file, fence):
            text = changed.get(file.path, file.text)
            changed[file.path] = text[:fence.body_start] + textwrap.indent(source, fence.indent) + text[fence.body_end:]
    return changed.items()


def cpp_fences(tree):
    for file in tree.markdown_files:
        if not file.path.startswith(HISTORY):
            for fence in fences(file.text):
                if fence.language in CPP_LANGUAGES:
                    yield file, fence, MARKER.search(file.text, 0, fence.start)


def dedented(file, fence):
    return textwrap.dedent(file.text[fence.body_start:fence.body_end])


def spelled(marker):
    return marker["path"] + (f"#{marker['name']}" if marker["name"] else "")


def example_text(tree, marker):
    file = tree.files.get(marker["path"])
    if file is None or not marker["name"]:
        return file and file.text
    tag = rf"^[ \t]*//[ \t]*\[{re.escape(marker['name'])}\][ \t]*\n"
    region = re.search(f"{tag}(.*?){tag}", file.text, re.M | re.S)
    return textwrap.dedent(region[1]) if region else None
