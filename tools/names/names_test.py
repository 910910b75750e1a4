#!/usr/bin/env python3
"""The list of public names: what clang's dump says, which door gives a name, and what the test prints."""

import tempfile
import unittest
from pathlib import Path

import module
import names

DUMP = """\
NamespaceDecl 0x1 <./filch/fork/join.hpp:3:1, line:90:1> line:3:11 filch
|-CXXRecordDecl 0x2 <line:4:1, col:7> col:7 referenced class thread_pool
|-FunctionTemplateDecl 0x3 <line:5:1, line:9:1> line:6:12 join
| `-FunctionDecl 0x4 <line:6:1, line:9:1> line:6:12 join 'auto (F)' inline
|-FunctionDecl 0x5 <line:10:1, col:9> col:5 operator== 'bool ()'
|-NamespaceDecl 0x6 <line:11:1, line:20:1> line:11:11 fork
| `-FunctionDecl 0x7 <line:12:1, col:9> col:6 finish_slowly 'void ()'
`-EnumDecl 0x8 <line:21:1, line:22:3> line:21:12 class priority 'unsigned char'
  `-EnumConstantDecl 0x9 <line:22:1> col:1 high 'filch::priority'
NamespaceDecl 0xa prev 0x1 <./filch/sched/pool.hpp:3:1, line:90:1> line:3:11 filch
|-original Namespace 0x1 'filch'
|-FunctionTemplateDecl 0xb <line:4:1, col:9> col:3 implicit <deduction guide for thread_pool>
|-CXXRecordDecl 0xc prev 0x2 <line:5:1, line:9:1> line:5:7 referenced class thread_pool definition
| `-CXXMethodDecl 0xd <line:6:3, col:9> col:8 run 'void ()'
| `-TemplateArgument </usr/include/c++/12/new:1:2> type 'int'
|-NamespaceDecl 0xe <./filch/sched/pool.hpp:11:1, line:20:1> line:11:18 v1 inline
| `-VarDecl 0xf <line:12:1, col:30> col:26 npos 'const unsigned int' constexpr cinit
|-TypeAliasTemplateDecl 0x13 <line:14:1, line:15:9> col:1 timing
| |-TemplateTypeParmDecl 0x14 <line:14:9, col:15> col:15 typename depth 0 index 0 T
| `-TypeAliasDecl 0x15 <line:15:1, col:20> col:7 timing 'time_histogram'
|   |-BuiltinType 0x16 'int'
|   `-DeprecatedAttr 0x17 <col:16, col:50> "use time_histogram" ""
|-FunctionTemplateDecl 0x12 parent 0xc prev 0xd <line:20:1, line:9:1> line:6:19 run
`-NamespaceDecl 0x10 <line:21:1, line:30:1> line:21:11 co
  `-FunctionDecl 0x11 <line:22:1, col:9> col:6 suspend 'void ()'
"""


class Names(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for path, text in {"filch/filch.hpp": "#include <filch/fork.hpp>\n#include <filch/metrics.hpp>\n",
                           "filch/fork.hpp": "#include <filch/fork/join.hpp>\n",
                           "filch/metrics.hpp": "#include <filch/sched/pool.hpp>\n",
                           "filch/io.hpp": "#include <filch/io/context.hpp>\n",
                           "filch/fork/join.hpp": "#include <filch/sched/pool.hpp>\n",
                           "filch/sched/pool.hpp": "#include <filch/sched/slot.hpp>\n", "filch/sched/slot.hpp": ""}.items():
            file = Path(folder.name, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.doors = names.Doors(Path(folder.name))

    def test_the_names_of_filch_are_found_and_those_of_its_rooms_are_not(self):
        self.assertEqual(names.public_names(names.declarations(DUMP.splitlines()), self.doors),
                         ["filch::co::suspend function metrics.hpp", "filch::join function fork.hpp", "filch::npos constant metrics.hpp",
                          "filch::priority enum fork.hpp", "filch::thread_pool class metrics.hpp",
                          "filch::timing alias metrics.hpp"])

    def test_a_name_of_a_mixed_room_counts_if_a_door_includes_its_header(self):
        found = [names.Declared("filch::co", "class", "promise", "filch/sched/slot.hpp", True)]
        self.assertEqual(names.public_names(found, self.doors), [])

    def test_a_declaration_has_the_line_that_clang_leaves_out_if_it_is_that_of_the_place_before(self):
        found = {(one.name, one.line) for one in names.declarations(DUMP.splitlines())}
        self.assertLessEqual({("join", 5), ("priority", 21), ("thread_pool", 5), ("npos", 12)}, found)

    def test_a_door_that_includes_a_header_itself_comes_first(self):
        self.assertEqual(self.doors.of("filch/sched/pool.hpp"), "metrics.hpp")
        self.assertEqual(self.doors.of("filch/sched/slot.hpp"), "fork.hpp")
        self.assertIsNone(self.doors.of("filch/other.hpp"))

    def test_the_module_has_what_filch_hpp_includes_and_is_not_deprecated(self):
        found = [*names.declarations(DUMP.splitlines()), names.Declared("filch::io", "class", "context", "filch/io/context.hpp")]
        self.assertEqual({one.name for one in found if one.is_deprecated}, {"timing"})
        public = names.public_declarations(found, self.doors)
        self.assertIn("filch::io::context", public)
        self.assertEqual(module.text(public, self.doors).partition("export module filch;\n")[2], """
export namespace filch {
using filch::join;
using filch::npos;
using filch::priority;
using filch::thread_pool;
}  // namespace filch

export namespace filch::co {
using filch::co::suspend;
}  // namespace filch::co
""")

    def test_macros_that_are_taken_back_do_not_count(self):
        lines = ['# 1 "./filch/fork/join.hpp" 1', "#define FILCH_TRY try", "#define FILCH_OLD 1", "#undef FILCH_OLD", "#define OTHER 1"]
        self.assertEqual(names.public_macros(lines, self.doors), ["FILCH_TRY macro fork.hpp"])

    def test_a_macro_counts_if_a_door_includes_its_header(self):
        lines = ['# 1 "./filch/sched/slot.hpp" 1', "#define FILCH_SLOT 1"]
        self.assertEqual(names.public_macros(lines, self.doors), [])

    def test_a_difference_names_what_is_new_and_what_is_gone(self):
        self.assertEqual(names.difference(["a", "b"], ["a", "b"]), [])
        said = names.difference(["a", "b"], ["b", "c"])
        self.assertIn("  -a", said)
        self.assertIn("  +c", said)


if __name__ == "__main__":
    unittest.main()
