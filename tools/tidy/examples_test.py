"""The list of example programs: a program without a row is found."""

import unittest

import tidy_test


class ListOfExamples(tidy_test.CheckTest):
    check = "examples"
    always = {"examples/README.md": "[sum.cpp](sum.cpp)\n", "examples/sum.cpp": ""}

    def test_a_program_without_a_row_is_found(self):
        self.assert_found({"examples/difference.cpp": ""}, "examples/difference.cpp:1", "no row")

    def test_what_has_its_row_or_is_no_program_there_is_fine(self):
        self.assert_clean({"examples/sum.hpp": "", "examples/sub/a.cpp": ""})


if __name__ == "__main__":
    unittest.main()
