#!/usr/bin/env python3
"""The site of this repository: it is built without a fault, its search knows the pages, and the archive holds it. Needs mkdocs."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import make_site


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.site, cls.archive = Path(folder.name) / "site", Path(folder.name) / "site.zip"
        command = [sys.executable, make_site.HERE / "make_site.py", "--out", cls.site, "--zip", cls.archive]
        cls.built = subprocess.run(command, capture_output=True, text=True)

    def test_no_link_is_dead_and_no_page_asks_another_host(self):
        self.assertEqual((self.built.returncode, self.built.stderr), (0, ""))
        self.assertGreater(len(list(self.site.rglob("*.html"))), 80)

    def test_search_finds_deadline_in_the_page_about_time_limits(self):
        index = re.fullmatch(r"__search\.give\((.*)\);\n", (self.site / "search/index.js").read_text(), re.S)
        found = [entry["location"] for entry in json.loads(index[1])["docs"] if "deadline" in entry["text"]]
        self.assertIn("docs/guide/how/time_limit.html", found)

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
