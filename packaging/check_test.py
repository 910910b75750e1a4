#!/usr/bin/env python3
"""Each rule of check.py finds the fault that it is for, planted into a copy of the recipes."""

import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.search(r'FILCH_VERSION "(.*)"', (ROOT / "filch/base/version.hpp").read_text())[1]
# What check.py reads, but for what a Containerfile copies.
READ = ["packaging", ".github", "cmake", "scripts/packages", "filch/base/version.hpp", "CMakeLists.txt", "filch/topo/CMakeLists.txt",
        "filch/trace/CMakeLists.txt"]
COPIED = ["LICENSE", "README.md", "CHANGELOG.md", "bench", "compare", "docs", "examples", "tools"]


class CheckTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)
        for place in READ:
            target = self.tree / place
            target.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / place).is_dir() else shutil.copyfile
            copy(ROOT / place, target)
        for place in COPIED:
            (self.tree / place).touch()

    def said(self, status):
        done = subprocess.run([sys.executable, ROOT / "packaging/check.py", "--root", self.tree], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def planted(self, place, old, new):
        """What check.py says after `old` became `new` there."""
        path = self.tree / place
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))
        return self.said(1)

    def test_the_recipes_as_they_are_have_no_fault(self):
        self.assertIn("packaging: 0 findings", self.said(0))

    def test_a_recipe_with_another_version_than_the_headers(self):
        said = self.planted("filch/base/version.hpp", f'"{VERSION}"', '"99.1.0"')
        for place in ("debian/changelog", "debian/control", "vcpkg/vcpkg.json", "homebrew/filch.rb", "debian/libfilch99.1.install"):
            self.assertIn(f"packaging/{place}:", said)

    def test_an_option_that_the_build_does_not_have(self):
        self.assertIn("FILCH_BUILD_TOOL is no option", self.planted("packaging/debian/rules", "FILCH_BUILD_TOOLS", "FILCH_BUILD_TOOL"))

    def test_a_package_that_the_build_needs(self):
        self.assertIn("lacks libpng-dev", self.planted("packaging/debian/control", "libpng-dev,", "libgd-dev,"))

    def test_files_for_a_package_that_is_not_declared(self):
        said = self.planted("packaging/debian/control", "Package: filch-doc", "Package: filch-docs")
        self.assertIn("filch-doc.install: debian/control has no such package", said)

    def test_a_test_that_is_not_there(self):
        self.assertIn("no test programs", self.planted("packaging/debian/tests/control", "Tests: program", "Tests: programs"))

    def test_broken_syntax(self):
        for place, old, new in (("packaging/vcpkg/vcpkg.json", '"license": "MIT",', '"license": "MIT"'),
                                ("packaging/conan/conanfile.py", "def build(self):", "def build(self)"),
                                ("packaging/vcpkg/portfile.cmake", "vcpkg_cmake_install()", "vcpkg_cmake_install("),
                                ("packaging/debian.sh", "set -euo pipefail", "if true")):
            self.assertIn(f"{place}:", self.planted(place, old, new))

    def test_a_form_for_issues_with_a_field_that_has_no_label(self):
        if importlib.util.find_spec("yaml") is None:
            self.skipTest("no PyYAML here")
        said = self.planted(".github/ISSUE_TEMPLATE/bug.yml", "label: Version, compiler, flags", "title: Version")
        self.assertIn("bug.yml: a field needs", said)

    def test_a_file_to_copy_that_is_not_there(self):
        self.assertIn("no sources to copy", self.planted("packaging/Containerfile", "COPY docs docs", "COPY sources docs"))


if __name__ == "__main__":
    unittest.main()
