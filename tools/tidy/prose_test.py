#!/usr/bin/env python3
"""The check `prose`: for each rule a small tree that must trigger it, and one that must not."""

import unittest

from tidy_test import CheckTest, found
import tidy
from tree import Tree


class Prose(CheckTest):
    check = "prose"

    def test_a_relative_clause_without_a_noun_is_found_wherever_people_read_it(self):
        for path, text in (("a.hpp", "// Called by who asks.\n"), ("a.md", "Whoever sleeps, is woken.\n"),
                           ("a.cpp", 'const char* text = "tell who asks";\n'), ("a.toml", 'claim = "Who sleeps."\n'),
                           ("a.yml", "label: Who asks.\n"), ("a/Containerfile", "# Whoever asks\n"), ("a_test.cpp", "TEST(pool, wakes_who_sleeps) {}\n")):
            self.assert_found({path: text}, f"{path}:1", "without a noun")

    def test_people_and_questions_have_who(self):
        self.assert_clean({"a.md": "For users who know Cilk. A reader (who is new) stops.\n\n## Who wakes whom?\n",
                           "b.md": "`who` is a program.\n```\nwho\n```\n"})

    def test_a_long_sentence_is_found(self):
        for path, text in (("a.md", "It " + "goes\non " * 20 + ".\n"), ("a.hpp", "// It" + " goes on\n//" * 20 + " and on.\n")):
            self.assert_found({path: text}, f"{path}:1", "a sentence of 4")
        self.assert_clean({"a.md": "It " + "goes on.\nIt " * 30 + "ends.\n", "b.md": "- an item\n" * 30,
                           "c.hpp": "/// Cost:    a cache miss or two\n" * 20})

    def test_a_long_line_is_found(self):
        self.assert_found({"a.md": "word " * 21 + "\n"}, "a.md:1", "105 columns")
        self.assert_found({"a.cpp": "int " + "a" * 97 + ";\n"}, "a.cpp:1", "102 columns")
        self.assert_clean({"a.md": "| " + "cell " * 30 + "|\n[a](" + "b" * 100 + ")\n```\n" + "x " * 60 + "\n```\n"})

    def test_a_rejected_word_is_found_and_the_better_one_told(self):
        words = {"tools/tidy/words.txt": "keeper -> driver\n"}
        self.assert_found(words | {"a.md": "The keeper sleeps.\n"}, "a.md:1", "`keeper`")
        self.assert_found(words | {"a.md": "Keeper of a slot.\n"}, "a.md:1", "`keeper`")
        self.assert_clean(words | {"a.md": "The bookkeeper sleeps; see `keeper`.\n"})

    def test_a_word_is_rejected_in_some_folders_alone(self):
        words = {"tools/tidy/words.txt": "piece -> chunk : filch/algo filch/fork\n"}
        self.assert_found(words | {"filch/fork/a.md": "A piece.\n"}, "a.md:1", "`piece`")
        self.assert_clean(words | {"filch/algorithm/a.md": "A piece.\n", "a.md": "A piece.\n"})

    def test_what_is_listed_may_only_shrink(self):
        listed = {"tools/tidy/prose.txt": "a.md 2\n"}
        self.assert_clean(listed | {"a.md": "Who asks. Who answers.\n"})
        self.assertEqual(len(found("prose", listed | {"a.md": "Who asks. Who answers. Who sleeps.\n"})), 3)
        self.assert_found(listed | {"a.md": "It asks.\n"}, "prose.txt:1", "reads well")
        self.assert_found(listed, "prose.txt:1", "there is no a.md")
        self.assert_found({"tools/tidy/prose.txt": "a.md\n"}, "cannot read")

    def test_the_list_is_lowered_to_what_there_is(self):
        files = {"tools/tidy/prose.txt": "# why\na.md 3\nb.md 1\ngone.md 1\n", "a.md": "Who asks.\n", "b.md": "It asks.\n"}
        self.assertEqual(list(tidy.CHECKS["prose"].fixed(Tree(files))), [("tools/tidy/prose.txt", "# why\na.md 1\n")])
        files["tools/tidy/prose.txt"] = "# why\na.md 1\n"
        self.assertEqual(list(tidy.CHECKS["prose"].fixed(Tree(files))), [])


if __name__ == "__main__":
    unittest.main()
