"""No file grows over 400 lines and no function over 60; what sizes.txt lists as larger may only shrink."""

import ast

from cpp import functions

FILE_LINES = 400
FUNCTION_LINES = 60
CODE_SUFFIXES = {".py", ".sh", ".cmake", ".ts", ".tsx", ".js", ".mjs", ".css", ".rs", ".go"}
DATA = "tools/tidy/sizes.txt"


def check(tree, report):
    listed = read_listed(tree, report)
    large = {}
    for file in tree.files.values():
        if file.is_cpp or file.is_cmake or file.pure.suffix in CODE_SUFFIXES or file.pure.name in ("run", "test"):
            if len(file.lines) > FILE_LINES:
                large[file.path] = (file.path, 1, len(file.lines), FILE_LINES)
            for function in long_functions(file):
                key = f"{file.path}:{function[0]}"
                if key not in large or large[key][2] < function[2]:
                    large[key] = (file.path, *function[1:], FUNCTION_LINES)
    for key, (path, line, size, limit) in large.items():
        judge(key, path, line, size, limit, listed, report)
    for key, (number, _) in listed.items():
        if key not in large:
            report.find(DATA, number, f"{key} is no longer too large, or gone.",
                        "delete this line, so that it cannot grow back.")
    report.note(f"{len(large)} above the limits ({FILE_LINES} lines a file, {FUNCTION_LINES} a function)")


def judge(key, path, line, size, limit, listed, report):
    if key not in listed:
        report.find(path, line, f"{key} has {size} lines; the limit is {limit}.",
                    "take an idea out of it into its own file or function.")
    elif size > listed[key][1]:
        report.find(path, line, f"{key} grew from {listed[key][1]} to {size} lines; the limit is {limit}.",
                    "put the new part elsewhere; what is too large may only shrink.")


def read_listed(tree, report):
    """{path or path:function: (line number, lines allowed)}"""
    listed = {}
    for number, line in tree.data("sizes.txt"):
        key, _, size = line.rpartition(" ")
        if key and size.isdecimal():
            listed[key.strip()] = (number, int(size))
        else:
            report.find(DATA, number, f"cannot read `{line}`.", "write `path lines` or `path:function lines`.")
    return listed


def long_functions(file):
    """(name, first line, lines) of each function over the limit."""
    if file.is_cpp:
        if len(file.lines) > FUNCTION_LINES:
            for function in functions(file.code):
                if function.lines > FUNCTION_LINES:
                    yield function.name, function.first_line, function.lines
    elif file.pure.suffix == ".py":
        for node in ast.walk(python_of(file)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno - node.lineno >= FUNCTION_LINES:
                yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def python_of(file):
    try:
        return ast.parse(file.text)
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])  # Python itself says it better
