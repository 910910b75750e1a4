"""The text of the module `filch`, made of the public names. See README.md beside this file."""

from collections import defaultdict

FILE = "filch/filch.cppm"
INCLUDED = "filch.hpp"
HEAD = f"""\
// The module `filch`: the public names of <filch/{INCLUDED}>, for `import filch;`.
// Macros and deprecated names are left out. See docs/guide/how/modules.md.
// Written by tools/names/names.py --write, compared by the test `names`.
module;
#include <filch/{INCLUDED}>
export module filch;
"""


def text(public, doors):
    """The interface file. `public` is what `public_declarations` returns."""
    included = doors.includes(f"filch/{INCLUDED}")
    exported = defaultdict(list)
    for full, every in sorted(public.items()):
        if any(f"filch/{doors.of(one.file)}" in included and not one.is_deprecated for one in every):
            exported[full.rpartition("::")[0]].append(full)
    parts = [HEAD]
    for namespace, names in sorted(exported.items()):
        names_here = "".join(f"using {name};\n" for name in names)
        parts.append(f"\nexport namespace {namespace} {{\n{names_here}}}  // namespace {namespace}\n")
    return "".join(parts)
