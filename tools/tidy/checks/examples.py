"""Code in the docs is copied from a compiled file: the fence stands below a marker and equals what the marker names.

On the users' pages a fence in any other language says which test runs it. Each program examples/*.cpp has a row in examples/README.md.

In the document:   <!-- example: examples/sum.cpp#sum -->    directly above the fence; without `#sum`, the whole file
                   <!-- run by: examples/sum_test.sh -->     a test that reads the page, or is given it by its CMakeLists.txt
In the source:     // [sum]    above and below the lines, as Doxygen's snippets are marked
"""

import re
import textwrap

from markdown import fences

COMPILED = {"cpp", "c++", "cxx", "cc", "hpp", "c", "rust", "rs", "go"}
STATEMENT = re.compile(r"[=({].*;[ \t]*(?://.*)?$", re.M)
FOR_USERS = re.compile(r"README\.md$|docs/guide/")
RUN_BY = re.compile(r"<!--\s*run by:\s*(?P<path>\S+)\s*-->[ \t]*\n[ \t]*\Z")
MARKER = re.compile(r"<!--\s*example:\s*(?P<path>[^\s#]+)(?:#(?P<name>[\w.-]+))?\s*-->[ \t]*\n[ \t]*\Z")
HISTORY = ("docs/notes/", "CHANGELOG")
LIST = "examples/README.md"


def check(tree, report):
    for file, fence, marker in code_fences(tree):
        line = file.line_of(fence.start)
        if not marker:
            report.find(file.path, line, "this code is not compiled anywhere.",
                        "move it into an example, write <!-- example: path#name --> above the fence, and run tidy.py --fix.")
            continue
        source = example_text(tree, marker)
        if source is None:
            report.find(file.path, line, f"{spelled(marker)} does not exist.",
                        f"write // [{marker['name'] or 'name'}] above and below the lines in a file that is built.")
        elif source != dedented(file, fence):
            report.find(file.path, line, f"this is no longer what {spelled(marker)} says.", "run tools/tidy/tidy.py --fix.")
    check_other_fences(tree, report)
    for path in unlisted(tree):
        report.find(path, 1, f"{LIST} has no row for it.", "add one: what it shows, its arguments, and what it prints.")


def check_other_fences(tree, report):
    """Commands, and what is called no code but has statements. A fence without a language is output or a drawing."""
    for file, fence in other_fences(tree):
        line = file.line_of(fence.start)
        test = RUN_BY.search(file.text, 0, fence.start)
        if fence.language in ("", "text"):
            if STATEMENT.search(file.text, fence.body_start, fence.body_end):
                report.find(file.path, line, "this looks like code, and its fence does not say so.", "write its language behind ```.")
        elif test is None:
            report.find(file.path, line, "no test runs this.",
                        "write <!-- run by: path --> above the fence, of a test that reads this page; or excuse it.")
        elif not is_given_to(tree, file, test["path"]):
            report.find(file.path, line, f"{test['path']} does not read this page.", f"let it run what {file.path} shows.")


def is_given_to(tree, page, path):
    """The test, or the CMakeLists.txt beside it, names the page."""
    test = tree.files.get(path)
    lists = test and tree.files.get(str(test.pure.parent / "CMakeLists.txt"))
    return any(page.path in each.text for each in (test, lists) if each)


def unlisted(tree):
    """The programs in examples/ that the list there, if there is one, does not link."""
    page = tree.files.get(LIST)
    return [path for path in sorted(tree.files) if page is not None and re.fullmatch(r"examples/\w+\.cpp", path)
            and f"]({path.removeprefix('examples/')})" not in page.text]


def fixed(tree):
    """(path, new text) of each document whose examples differ from their sources."""
    changed = {}
    for file, fence, marker in reversed(list(code_fences(tree))):
        source = example_text(tree, marker) if marker else None
        if source is not None and source != dedented(file, fence):
            text = changed.get(file.path, file.text)
            changed[file.path] = text[:fence.body_start] + textwrap.indent(source, fence.indent) + text[fence.body_end:]
    return changed.items()


def code_fences(tree):
    """(file, fence, marker) of what is compiled, and of whatever else has a marker."""
    for file, fence in all_fences(tree):
        marker = MARKER.search(file.text, 0, fence.start)
        if marker or fence.language in COMPILED:
            yield file, fence, marker


def other_fences(tree):
    for file, fence in all_fences(tree):
        if FOR_USERS.match(file.path) and fence.language not in COMPILED and not MARKER.search(file.text, 0, fence.start):
            yield file, fence


def all_fences(tree):
    return [(file, fence) for file in tree.markdown_files if not file.path.startswith(HISTORY) for fence in fences(file.text)]


def dedented(file, fence):
    return textwrap.dedent(file.text[fence.body_start:fence.body_end])


def spelled(marker):
    return marker["path"] + (f"#{marker['name']}" if marker["name"] else "")


def example_text(tree, marker):
    file = tree.files.get(marker["path"])
    if file is None or not marker["name"]:
        return file and file.text
    tag = rf"^[ \t]*//[ \t]*\[{re.escape(marker['name'])}\][ \t]*\n"
    region = re.search(f"{tag}(.*?\\n)\\n?{tag}", file.text, re.M | re.S)  # gofmt writes an empty line above the second
    return textwrap.dedent(region[1]) if region else None
