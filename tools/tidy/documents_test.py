#!/usr/bin/env python3
"""The checks of what documents and comments name: for each rule a small tree that must trigger it, and one that must not."""

import unittest

from tidy_test import CheckTest
import tidy
from tree import Tree


class Ghosts(CheckTest):
    check = "ghosts"
    always = {"tools/tidy/foreign.txt": "membarrier rayon:: # others' names\n",
              "filch/base/a.hpp": 'int raise_split(int /*count*/); auto v = "FILCH_WORKERS";\n'}

    def test_a_name_that_is_gone_is_found_in_a_comment(self):
        self.assert_found({"filch/queue/b.hpp": "\n// See `lower_split`, which\n"}, "filch/queue/b.hpp:2", "`lower_split`")

    def test_a_function_that_is_gone_is_found_without_back_ticks(self):
        self.assert_found({"filch/queue/b.hpp": "/* Not after lower_split(). */\n"}, "`lower_split`")

    def test_a_name_that_is_gone_is_found_in_a_readme(self):
        self.assert_found({"filch/queue/README.md": "# Queue\n\nThe owner calls `lower_split(1)`.\n"}, "README.md:3")

    def test_a_file_that_is_gone_is_found(self):
        self.assert_found({"README.md": "See `queue/gone.hpp`.\n"}, "`queue/gone.hpp`")

    def test_the_closest_name_is_told(self):
        self.assert_found({"README.md": "`raise_splits`\n"}, "closest name is `raise_split`")

    def test_existing_and_foreign_names_are_fine(self):
        self.assert_clean({"filch/queue/b.hpp": "// `raise_split`, raise_split(), `std::atomic<int>`, `membarrier`\n"
                                                "// `rayon::join`, `count`\n"
                                                "// `base/a.hpp`, `FILCH_WORKERS=2`, `S_P <= P * S_1`, `T1`\n"})

    def test_commands_patterns_and_placeholders_are_fine(self):
        self.assert_clean({"README.md": "`./x --no-such_option`, `*_test.cpp`, `raise_split(<count_here>)`,\n`https://a.b/c_d`, "
                                        "`rayon#592`, `1f2e3d4c5b`\n"})

    def test_plain_words_beside_short_spans_are_no_names(self):
        self.assert_clean({"filch/queue/b.hpp": "/// What `f` throws; `raise_split` after that is a call.\nint f;\n"})

    def test_a_span_over_two_comment_lines_is_one(self):
        self.assert_clean({"filch/queue/b.hpp": "// before `raise_split(\n//   1)` and after it `raise_split` stays\n"})

    def test_fences_and_histories_are_not_looked_at(self):
        self.assert_clean({"README.md": "```\n`gone_name`\n```\n", "docs/notes/001-a.md": "`gone_name`\n",
                           "CHANGELOG.md": "`gone_name`\n",
                           "filch/queue/README.md": "## Why not\n`gone_name`\n### more\n`gone_name`\n"
                                                   "## Tolerated\n`raise_split`\n"})

    def test_a_section_after_a_history_is_looked_at_again(self):
        self.assert_found({"README.md": "## Why not\n`gone_one`\n## Tolerated\n`gone_two`\n"}, "gone_two")


class Links(CheckTest):
    check = "links"
    always = {"docs/guide.md": "# First steps\n\n## `join` & more\n"}

    def test_a_link_to_nothing_is_found(self):
        self.assert_found({"README.md": "\n[a](docs/gone.md)\n"}, "README.md:2", "docs/gone.md")
        self.assert_found({"README.md": "[a]\n\n[a]: docs/gone.md\n"}, "README.md:3")

    def test_a_link_out_of_the_project_is_found(self):
        self.assert_found({"README.md": "[a](../other/README.md)\n"}, "leaves the project")

    def test_an_anchor_to_nothing_is_found(self):
        self.assert_found({"README.md": "[a](docs/guide.md#last-steps)\n"}, "#last-steps")
        self.assert_found({"README.md": "# A\n[a](#b)\n"}, "#b")

    def test_an_example_line_to_nothing_is_found(self):
        self.assert_found({"filch/a.hpp": "/// Example: examples/gone.cpp\n"}, "examples/gone.cpp")

    def test_links_that_lead_somewhere_are_fine(self):
        self.assert_clean({"filch/README.md": "[a](../docs/guide.md#first-steps) [b](https://x.org/y) [c](../docs)\n"
                                              "[d](../docs/guide.md#join--more)\n",
                           "filch/a.hpp": "/// Example: docs/guide.md\n"})

    def test_links_in_code_are_none(self):
        self.assert_clean({"README.md": "`[a](gone.md)`\n```\n[a](gone.md)\n```\n"})


class Examples(CheckTest):
    check = "examples"
    always = {"examples/sum.cpp": "int main() {\n  // [sum]\n  f();\n  // [sum]\n}\n"}

    def test_cpp_without_a_marker_is_found(self):
        self.assert_found({"README.md": "\n```cpp\nf();\n```\n"}, "README.md:2", "not compiled")

    def test_an_example_that_differs_from_its_source_is_found(self):
        self.assert_found({"README.md": "<!-- example: examples/sum.cpp#sum -->\n```cpp\ng();\n```\n"}, "no longer")

    def test_a_marker_to_nothing_is_found(self):
        self.assert_found({"README.md": "<!-- example: examples/sum.cpp#gone -->\n```cpp\nf();\n```\n"}, "does not exist")

    def test_a_copied_example_and_commands_for_developers_are_fine(self):
        self.assert_clean({"README.md": "<!-- example: examples/sum.cpp#sum -->\n```cpp\nf();\n```\n",
                           "HACKING.md": "```sh\n./run\n```\n"})

    def test_fix_copies_it_anew(self):
        before = "<!-- example: examples/sum.cpp#sum -->\n```cpp\ng();\n```\nx\n"
        files = self.always | {"README.md": before}
        self.assertEqual(dict(tidy.CHECKS["examples"].fixed(Tree(files))), {"README.md": before.replace("g()", "f()")})


if __name__ == "__main__":
    unittest.main()
