#!/usr/bin/env python3
"""exported.py finds what a program needs and the library hides, and what came or went."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
SCRIPT = Path(__file__).with_name("exported.py")
LIBRARY = """namespace filch {
[[gnu::visibility("default")]] int shown() { return 1; }
int hidden() { return 2; }
}
"""
CALLS = "namespace filch {{ int {name}(); }}\nint main() {{ return filch::{name}(); }}\n"


class Exported(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        shutil.copy(SCRIPT, self.folder)
        self.compile("library", LIBRARY, "-fvisibility=hidden")
        self.run_of("--write")

    def compile(self, name, text, *options):
        source = self.folder / f"{name}.cpp"
        source.write_text(text, encoding="utf-8")
        subprocess.run(["c++", *options, "-c", source, "-o", self.folder / f"{name}.o"], check=True)
        return str(self.folder / f"{name}.o")

    def run_of(self, *more):
        return subprocess.run([sys.executable, self.folder / "exported.py", self.folder / "library.o", *more],
                              capture_output=True, text=True)

    def test_what_the_list_has_and_programs_find_is_fine(self):
        done = self.run_of(self.compile("program", CALLS.format(name="shown")))
        self.assertEqual((done.returncode, done.stdout), (0, "\n1 symbols exported, 1 objects of programs, 0 symbols missing\n"))

    def test_a_hidden_function_that_a_program_calls_is_named(self):
        done = self.run_of(self.compile("program", CALLS.format(name="hidden")))
        self.assertEqual(done.returncode, 1)
        self.assertIn("a program needs `filch::hidden()`, which a shared library hides", done.stdout)

    def test_what_came_and_what_went_is_told(self):
        self.compile("library", LIBRARY.replace("shown", "other"), "-fvisibility=hidden")
        done = self.run_of()
        self.assertEqual(done.returncode, 1)
        self.assertIn("-filch::shown()\n+filch::other()\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
