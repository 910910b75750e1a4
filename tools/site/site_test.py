#!/usr/bin/env python3
"""The site of this repository: it is built without a fault, with a reference if clang is here, its search knows the pages, and the
archive holds it. Needs mkdocs."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import make_site

sys.path.insert(0, str(make_site.ROOT / "tools/names"))
import names  # noqa: E402

NO_REFERENCE = "this site has no API reference: clang++ is not installed\n"


def build(site, *arguments, **environment):
    command = [sys.executable, make_site.HERE / "make_site.py", "--out", site, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)


def texts_by_page(site):
    """What the search knows: the location of a page or of a heading in it, the title and the text there."""
    index = re.fullmatch(r"__search\.give\((.*)\);\n", (site / "search/index.js").read_text(), re.S)
    return json.loads(index[1])["docs"]


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.site, cls.archive = cls.folder / "site", cls.folder / "site.zip"
        cls.built = build(cls.site, "--zip", cls.archive)

    def test_no_link_is_dead_and_no_page_asks_another_host(self):
        self.assertEqual((self.built.returncode, self.built.stderr), (0, "" if names.found_compiler() else NO_REFERENCE))
        self.assertGreater(len(list(self.site.rglob("*.html"))), 80)

    def test_search_finds_deadline_in_the_page_about_time_limits(self):
        found = [entry["location"] for entry in texts_by_page(self.site) if "deadline" in entry["text"]]
        self.assertIn("docs/guide/how/time_limit.html", found)

    @unittest.skipUnless(names.found_compiler(), "the reference needs clang")
    def test_the_reference_is_linked_from_the_front_page_and_search_finds_its_names(self):
        self.assertIn('href="docs/reference/index.html"', (self.site / "index.html").read_text().partition("<article")[2])
        found = [entry["location"] for entry in texts_by_page(self.site) if entry["title"] == "parallel_reduce"]
        self.assertEqual(found, ["docs/reference/algo.html#parallel_reduce"])

    def test_without_clang_the_site_has_no_reference_and_one_line_says_so(self):
        commands = self.folder / "commands"
        commands.mkdir()
        (commands / "mkdocs").symlink_to(shutil.which("mkdocs"))
        built = build(self.folder / "small", PATH=str(commands))
        self.assertEqual((built.returncode, built.stderr), (0, NO_REFERENCE))
        self.assertFalse((self.folder / "small/docs/reference").exists())

    def test_every_page_loads_the_search_before_the_theme(self):
        for page in self.site.rglob("*.html"):
            scripts = [Path(name).name.split(".")[0] for name in re.findall(r'<script src="([^"]*)"', page.read_text())]
            self.assertEqual(scripts, ["worker", "index", "bundle"], page)

    def test_the_archive_holds_the_site(self):
        self.assertIn("filch-documentation/index.html", zipfile.ZipFile(self.archive).namelist())


if __name__ == "__main__":
    if not shutil.which("mkdocs"):
        print("skipped: no mkdocs here; scripts/packages/site.txt lists what it needs")
        sys.exit(make_site.SKIPPED)
    unittest.main()
