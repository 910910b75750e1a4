#!/usr/bin/env python3
"""What is staged for the generator: names, links, lists and the navigation; and what the check of the built pages finds."""

import tempfile
import unittest
from pathlib import Path

import make_site

GUIDE = """# The guide

1. [Start](start.md#begin), and [elsewhere](https://example.org/x).

| about | pages |
|---|---|
| loops | [grain](how/grain.md) |
| ends | [stop](how/stop.md) |

Names<!-- site: : [the
reference](../reference/README.md) -->.
"""
REFERENCE = {  # as it is ordered for the navigation
    "docs/reference/README.md": "# By topic\n[`a`](fork.md#a) [all](names.md)\n",
    "docs/reference/fork.md": "# `<filch/fork.hpp>`\n[code](../../examples/a.cpp) [start](../guide/start.md)\n",
    "docs/reference/names.md": "# By name\n",
}


def written(test, files):
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    for path, text in files.items():
        (Path(folder.name) / path).parent.mkdir(parents=True, exist_ok=True)
        (Path(folder.name) / path).write_text(text)
    return Path(folder.name)


class Staged(unittest.TestCase):
    def setUp(self):
        self.root = written(self, {
            make_site.GUIDE: GUIDE,
            "docs/guide/start.md": "# Start in ten minutes\n## Begin\n[code](../../examples/a.cpp#L3), [all](../logs), [up](README.md)\n",
            "docs/guide/how/stop.md": "# Stop\n`[no](link.md)` [notes](../../../HACKING.md)\n",
            "docs/guide/how/grain.md": "# Choose `grain`\n",
            "docs/guide/how/forgotten.md": "# Forgotten\n",
            "docs/guide/calls.md": "# All calls\n",
            "docs/logs/one.log": "1\n",
            "examples/a.cpp": "int a;\n",
            "filch/sched/pool/README.md": "# pool: what users see\n",
            "HACKING.md": "# Hacking\n",
        })
        self.staged = self.root / "staged"
        self.pages = make_site.stage(self.root, self.staged)

    def text(self, name):
        return (self.staged / name).read_text()

    def test_the_front_page_is_the_guide_and_links_are_as_seen_from_there(self):
        self.assertIn("[Start](docs/guide/start.md#begin)", self.text("index.md"))
        self.assertIn("[up](../../index.md)", self.text("docs/guide/start.md"))

    def test_addresses_and_code_stay_as_they_are(self):
        self.assertIn("(https://example.org/x)", self.text("index.md"))
        self.assertIn("`[no](link.md)`", self.text("docs/guide/how/stop.md"))

    def test_a_source_file_is_staged_as_text(self):
        self.assertIn("[code](../../examples/a.cpp.txt)", self.text("docs/guide/start.md"))
        self.assertEqual(self.text("examples/a.cpp.txt"), "int a;\n")

    def test_a_folder_without_readme_becomes_a_list_of_its_files(self):
        self.assertIn("[all](../logs/index.md)", self.text("docs/guide/start.md"))
        self.assertEqual(self.text("docs/logs/index.md"), "# docs/logs\n\n- [one.log](one.log.txt)\n")

    def test_the_navigation_has_the_order_and_the_rows_of_the_front_page(self):
        self.assertEqual(make_site.navigation(self.pages), [
            {"Start": [{"The guide": "index.md"}, {"Start in ten minutes": "docs/guide/start.md"}]},
            {"How to": [{"Forgotten": "docs/guide/how/forgotten.md"}, {"Loops": [{"Choose grain": "docs/guide/how/grain.md"}]},
                        {"Ends": [{"Stop": "docs/guide/how/stop.md"}]}]},
            {"Reference": [{"All calls": "docs/guide/calls.md"}]},
            {"Rooms": [{"sched/pool: what users see": "filch/sched/pool/README.md"}]},
            {"Project": [{"Hacking": "HACKING.md"}, {"docs/logs": "docs/logs/index.md"}]},
        ])

    def test_without_the_reference_the_front_page_does_not_link_to_it(self):
        self.assertTrue(self.text("index.md").endswith("\nNames.\n"))

    def test_with_the_reference_the_front_page_links_to_it_and_its_pages_come_first_in_their_section(self):
        pages = make_site.stage(self.root, self.root / "full", REFERENCE)
        self.assertTrue((self.root / "full/index.md").read_text().endswith("\nNames: [the\nreference](docs/reference/README.md).\n"))
        self.assertEqual((self.root / "full/docs/reference/fork.md").read_text(),
                         "# `<filch/fork.hpp>`\n[code](../../examples/a.cpp.txt) [start](../guide/start.md)\n")
        self.assertFalse((self.root / "docs/reference").exists())
        held = next(section["Reference"] for section in make_site.navigation(pages) if "Reference" in section)
        self.assertEqual(held, [{"By topic": "docs/reference/README.md"}, {"filch/fork.hpp": "docs/reference/fork.md"},
                                {"By name": "docs/reference/names.md"}, {"All calls": "docs/guide/calls.md"}])

    def test_a_link_that_leads_nowhere_is_left_to_the_generator(self):
        (self.root / "docs/guide/start.md").write_text("[gone](gone.md) [and](../gone/a.cpp)\n")
        make_site.stage(self.root, self.root / "again")
        self.assertEqual((self.root / "again/docs/guide/start.md").read_text(), "[gone](gone.md) [and](../gone/a.cpp.txt)\n")
        self.assertFalse((self.root / "again/docs/guide/gone.md").exists())


class ForPythonMarkdown(unittest.TestCase):
    def assert_becomes(self, text, wanted):
        self.assertEqual(make_site.for_python_markdown(text), wanted)

    def test_a_list_behind_text_gets_a_blank_line(self):
        self.assert_becomes("Two:\n- a\n- b\n", "Two:\n\n- a\n- b\n")
        self.assert_becomes("Two:\n1. a\n2. b\n", "Two:\n\n1. a\n2. b\n")

    def test_a_number_that_begins_a_line_of_text_is_no_list(self):
        self.assert_becomes("In the year\n2026. Then\n", "In the year\n2026. Then\n")

    def test_what_belongs_to_an_item_is_indented_by_four(self):
        self.assert_becomes("- a\n  b\n  - c\n    d\n- e\n\n  f\n\ng\n", "- a\n    b\n    - c\n        d\n- e\n\n    f\n\ng\n")

    def test_a_bar_in_the_code_of_a_table_needs_no_backslash(self):
        self.assert_becomes("| a | `b \\| c` \\| |\n", "| a | `b | c` \\| |\n")

    def test_code_keeps_its_columns(self):
        self.assert_becomes("```\na:\n- b\n  - c\n\td\n```\ntext\n", "```\na:\n- b\n  - c\n\td\n```\ntext\n")
        self.assert_becomes("1. a\n   ```\n   b\n     c\n   ```\n", "1. a\n    ```\n    b\n      c\n    ```\n")


class Faults(unittest.TestCase):
    def faults(self, text, **files):
        return list(make_site.faults_of(written(self, {"a.html": text, "b.html": '<h1 id="top">', **files})))

    def test_sound_pages_have_none(self):
        self.assertEqual(self.faults('<a href="b.html#top">b</a><a href="https://example.org">c</a><p id="x"><a href="#x">d</a>'), [])

    def test_a_dead_link_and_a_dead_anchor_are_found(self):
        self.assertEqual(self.faults('<a href="c.html">'), ["a.html links to c.html, which is not there."])
        self.assertEqual(self.faults('<a href="b.html#end">'), ["a.html links to b.html#end, but that page has no such anchor."])

    def test_what_is_fetched_from_another_host_is_found(self):
        for text in ('<img src="https://example.org/a.png">', '<link href="//example.org/a.css">', '<p style="background:url(http://example.org/a)">'):
            self.assertEqual(len(self.faults(text)), 1, text)
        self.assertEqual(len(self.faults("", **{"a.css": '@import "https://example.org/a.css";'})), 1)


if __name__ == "__main__":
    unittest.main()
