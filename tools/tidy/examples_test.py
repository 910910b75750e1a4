"""Programs without a row, code of other languages, and commands that no test runs are found."""

import unittest

import tidy_test


class ListOfExamples(tidy_test.CheckTest):
    check = "examples"
    always = {"examples/README.md": "[sum.cpp](sum.cpp)\n", "examples/sum.cpp": ""}

    def test_a_program_without_a_row_is_found(self):
        self.assert_found({"examples/difference.cpp": ""}, "examples/difference.cpp:1", "no row")

    def test_what_has_its_row_or_is_no_program_there_is_fine(self):
        self.assert_clean({"examples/sum.hpp": "", "examples/sub/a.cpp": ""})


class OtherLanguages(tidy_test.CheckTest):
    check = "examples"
    always = {"examples/sum.go": "// [sum]\nfunc f() {}\n\n// [sum]\n"}

    def test_code_of_another_language_without_a_marker_is_found(self):
        self.assert_found({"docs/guide/go.md": "```go\nfunc f() {}\n```\n"}, "docs/guide/go.md:1", "not compiled")
        self.assert_found({"filch/README.md": "```rust\nfn f() {}\n```\n"}, "filch/README.md:1", "not compiled")

    def test_code_that_differs_from_its_source_is_found(self):
        self.assert_found({"docs/guide/go.md": "<!-- example: examples/sum.go#sum -->\n```go\nfunc g() {}\n```\n"}, "no longer")

    def test_a_copy_without_the_empty_line_of_gofmt_is_fine(self):
        self.assert_clean({"docs/guide/go.md": "<!-- example: examples/sum.go#sum -->\n```go\nfunc f() {}\n```\n"})

    def test_code_that_is_called_text_or_nothing_is_found(self):
        self.assert_found({"docs/guide/a.md": "```text\nf(1);\n```\n"}, "looks like code")
        self.assert_found({"README.md": "```\nint a = 1;  // a race\n```\n"}, "looks like code")

    def test_output_and_drawings_are_fine(self):
        self.assert_clean({"docs/guide/a.md": "```\n$ app\nat the median;\n  most: 2 (a)\n```\n```text\na --> b\n```\n"})


class Commands(tidy_test.CheckTest):
    check = "examples"
    always = {"examples/CMakeLists.txt": "add_test(NAME a COMMAND a_test.sh docs/guide/a.md)", "examples/a_test.sh": ""}
    marked = "<!-- run by: examples/a_test.sh -->\n```sh\n./app\n```\n"

    def test_commands_that_no_test_runs_are_found(self):
        self.assert_found({"docs/guide/a.md": "```sh\n./app\n```\n"}, "docs/guide/a.md:1", "no test runs")
        self.assert_found({"README.md": "```cmake\nfind_package(a)\n```\n"}, "README.md:1", "no test runs")

    def test_a_test_that_does_not_read_the_page_is_found(self):
        self.assert_found({"docs/guide/b.md": self.marked}, "docs/guide/b.md:2", "does not read")

    def test_a_test_that_does_not_exist_is_found(self):
        self.assert_found({"docs/guide/a.md": self.marked.replace("a_test", "gone_test")}, "does not read")

    def test_commands_of_a_test_are_fine(self):
        self.assert_clean({"docs/guide/a.md": self.marked})

    def test_commands_with_an_excuse_are_fine(self):
        self.assert_clean({"docs/guide/a.md": "<!-- tidy: examples it takes minutes -->\n```sh\n./app\n```\n"})


if __name__ == "__main__":
    unittest.main()
