#!/usr/bin/env python3
"""What checks share: excuses, the reading of C++ and Markdown, and the program that runs them."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path

from tidy_test import ROOMS, found, report_of
import cpp
import markdown
import tidy


class Excuses(unittest.TestCase):
    def test_an_excuse_covers_its_line_or_the_next_and_is_counted(self):
        for text in ("#include <atomic>  // tidy: seam public type\n", "// tidy: seam public type\n#include <atomic>\n"):
            report = report_of("seam", {"filch/co/a.hpp": text})
            self.assertEqual((report.findings, report.excuse_count), ([], 1))

    def test_an_excuse_covers_no_other_check_nor_line(self):
        self.assertEqual(len(found("seam", {"filch/co/a.hpp": "#include <atomic>  // tidy: rooms x\n"})), 1)
        self.assertEqual(len(found("seam", {"filch/co/a.hpp": "int x;  // tidy: seam x\n#include <atomic>\n"})), 2)

    def test_an_excuse_needs_a_reason_a_check_and_a_use(self):
        self.assertIn("without a reason", found("seam", {"filch/co/a.hpp": "#include <atomic>  // tidy: seam\n"})[0])
        self.assertIn("no check called", found("seam", {"filch/co/a.hpp": "// tidy: seems fine\n"})[0])
        self.assertIn("excuses nothing", found("seam", {"filch/co/a.hpp": "int x;  // tidy: seam no longer\n"})[0])

    def test_an_excuse_of_a_check_that_did_not_run_is_not_judged(self):
        self.assertEqual(found("rooms", {"tools/tidy/rooms.txt": ROOMS, "tools/a.hpp": "int x;  // tidy: seam fine\n"}), [])


class Lexing(unittest.TestCase):
    def test_comments_and_strings_are_told_from_code(self):
        text = 'a = 1\'000; // x "\nb = "//"; /* c\n */ d = \'"\'; e = R"x(" // )x"; f = u8"\\"";\n'
        lexed = cpp.lex(text)
        self.assertEqual(len(lexed.code), len(text))
        self.assertEqual(cpp.WORD.findall(lexed.code), ["a", "b", "d", "e", "R", "f", "u8"])
        self.assertEqual([comment.line for comment in lexed.comments], [1, 2])

    def test_functions_are_found_with_their_names_and_lines(self):
        code = ("template <class T>\nclass x : y<int> {\n public:\n  x() : a_{1}, b_{f({})} {\n  }\n"
                "  int operator()(int) const noexcept {\n  }\n"
                "  int c_ = {1};\n};\n#if A\nvoid g() {\n#else\nvoid g(int) {\n#endif\n  auto l = [] {\n  };\n}\n"
                "enum class e { a };\nTEST(room, claim) {\n}\nauto h() -> int { return 1; }\n")
        self.assertEqual([(f.name, f.first_line, f.last_line) for f in cpp.functions(cpp.lex(code).code)],
                         [("x", 4, 5), ("operator()", 6, 7), ("g", 11, 17), ("room.claim", 19, 20), ("h", 21, 21)])

    def test_anchors_are_spelled_as_github_does(self):
        self.assertEqual(markdown.anchors("# A b, `c_d`!\n## A b\n## A b\n```\n# no\n```\n"), {"a-b-c_d", "a-b", "a-b-1"})


class Program(unittest.TestCase):
    def run_tidy(self, files, *options):
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                Path(root, path).parent.mkdir(parents=True, exist_ok=True)
                Path(root, path).write_text(text, encoding="utf-8")
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                code = tidy.main(["--root", root, *options])
            return code, out.getvalue(), {path: Path(root, path).read_text(encoding="utf-8") for path in files}

    def test_a_clean_tree_exits_0_and_a_finding_exits_1(self):
        self.assertEqual(self.run_tidy({"a.hpp": "int x;\n"}, "leftovers")[0], 0)
        code, out, _ = self.run_tidy({"a.hpp": "// FIXME\n"}, "leftovers")
        self.assertEqual(code, 1)
        self.assertIn("a.hpp:1: leftovers:", out)
        self.assertIn("Instead: ", out)
        self.assertIn("1 checks, 1 files, 1 findings, 0 excuses", out)
        self.assertNotIn("\033", out)

    def test_only_the_chosen_checks_run(self):
        self.assertEqual(self.run_tidy({"a.hpp": "// FIXME\n"}, "links", "examples")[0], 0)

    def test_json_holds_the_findings(self):
        _, out, _ = self.run_tidy({"a.hpp": "// FIXME\n"}, "leftovers", "--json")
        finding = json.loads(out)["findings"][0]
        self.assertEqual((finding["check"], finding["path"], finding["line"]), ("leftovers", "a.hpp", 1))
        self.assertTrue(finding["instead"])

    def test_an_unknown_check_or_root_exits_2_and_names_it(self):
        for argv, named in ((["edgs"], "edgs"), (["--root", "/no/such/folder"], "/no/such/folder")):
            err = io.StringIO()
            with contextlib.redirect_stderr(err), self.assertRaises(SystemExit) as stopped:
                tidy.main(argv)
            self.assertEqual(stopped.exception.code, 2)
            self.assertIn(named, err.getvalue())

    def test_build_folders_and_hidden_ones_are_left_out(self):
        self.assertEqual(self.run_tidy({"build/a.hpp": "// FIXME\n", "out/CMakeCache.txt": "", "out/a.hpp": "// FIXME\n",
                                        ".git/a.hpp": "// FIXME\n"}, "leftovers")[0], 0)
        self.assertEqual(self.run_tidy({".github/a.yml": "Tell who asks.\n", ".ci/run": "# Tell who asks.\n"}, "prose")[1].count("without a noun"), 2)

    def test_fix_writes_the_example_into_the_document(self):
        files = {"a.cpp": "f();\n", "README.md": "<!-- example: a.cpp -->\n```cpp\n```\n"}
        code, _, after = self.run_tidy(files, "examples", "--fix")
        self.assertEqual((code, after["README.md"]), (0, "<!-- example: a.cpp -->\n```cpp\nf();\n```\n"))

    def test_colours_obey_no_color(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        report = report_of("leftovers", {"a.hpp": "// FIXME\n"})
        for value, is_coloured in ((None, True), ("1", False)):
            os.environ.pop("NO_COLOR", None) if value is None else os.environ.update(NO_COLOR=value)
            out = Terminal()
            with contextlib.redirect_stdout(out):
                tidy.print_report(report, ("leftovers",), 1)
            self.assertEqual("\033" in out.getvalue(), is_coloured)


if __name__ == "__main__":
    unittest.main()
