"""Code of the library stands in the inline namespace of its version, so that two versions live in one process."""

import re

NUMBER = re.compile(r"#define FILCH_VERSION_(MAJOR|MINOR) (\d+)")
OPENED = re.compile(r"^[ \t]*(?:inline[ \t]+)?namespace filch\b([\w: ]*)\{", re.M)


def check(tree, report):
    version = tree.files.get("filch/base/version.hpp")
    if not version:
        return
    numbers = dict(NUMBER.findall(version.text))
    wanted = f"v{numbers['MAJOR']}_{numbers['MINOR']}"
    for file in tree.cpp_files:
        if not file.path.startswith("filch/"):
            continue
        for match in OPENED.finditer(file.code):
            if not re.match(rf"::inline {wanted}\b", match[1]):
                report.find(file.path, file.line_of(match.start()), f"this namespace is outside of filch::{wanted}.",
                            f"write `namespace filch::inline {wanted}` and the namespaces of the room after it.")
