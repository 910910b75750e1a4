#!/usr/bin/env python3
"""What the command keeps, prints and checks of a run."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from evidence_test import build_folder, mutant, record
import catalogue
import evidence
import freshness
from expected import expected
from kept import Kept
from tree import Tree


class CommandTest(unittest.TestCase):
    """Over a tree that has what `ExpectedTest` reads, with page and records of its own."""

    def setUp(self):
        mutants = [catalogue.Mutant("queue", "m", "Wrong.", "f", "p", "r", "target", "a.b", hazards=(2, 3))]
        texts = {"filch/queue/deque_model.cpp": "TEST(deque_model, holds) { EXPECT_TRUE(holds<both>()); }\n"}
        for target, replacement in ((evidence, "what_the_tree_has"), (catalogue, "load_mutants")):
            answer = expected(Tree(texts), mutants, {}) if target is evidence else mutants
            patch = mock.patch.object(target, replacement, return_value=answer)
            patch.start()
            self.addCleanup(patch.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.page, self.kept = self.root / "evidence.md", self.root / "kept.txt"
        self.silent = build_folder(self.root / "silent", log="")

    def test_a_folder_that_is_named_and_holds_no_run_is_refused(self):
        code, said = self.run_main(build=self.root / "none")
        self.assertEqual(code, 2)
        self.assertIn("none: no run of ctest is there", said)
        self.assertFalse(self.page.exists())

    def run_main(self, *arguments, build=None):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = evidence.main(["--kept", str(self.kept), "--output", str(self.page), "--build", str(build or self.silent), *arguments])
        return code, said.getvalue()

    def log_of(self, *told):
        log = self.root / "log"
        log.write_text("".join(f"evidence: {json.dumps(each)}\n" for each in told), encoding="utf-8")
        return str(log)

    def test_it_keeps_the_records_makes_the_page_and_fails_where_a_test_failed(self):
        code, said = self.run_main("--renew", build=build_folder(self.root))
        self.assertEqual(code, 1)
        self.assertIn("3 records: 3 new, 0 changed, 0 gone\n", said)  # with the suite, without what the tree does not have
        self.assertIn("failed: gcc-12: deque_model.breaks", said)
        self.assertTrue(self.page.read_text(encoding="utf-8").startswith("# Evidence\n"))
        self.assertEqual([each["kind"] for each in Kept.read(self.kept).all()], ["relacy", "mutant", "suite"])

    def test_once_it_has_run_the_page_is_fresh_and_a_second_time_changes_nothing(self):
        folder = build_folder(self.root)
        self.run_main(build=folder)
        before = self.page.read_text(encoding="utf-8")
        self.assertIn("2 records: 0 new, 0 changed, 0 gone", self.run_main(build=folder)[1])
        self.assertEqual(self.page.read_text(encoding="utf-8"), before)
        self.assertEqual(self.run_main("--check")[0], 0)

    def test_the_verdict_of_one_mutant_is_added_to_what_is_kept(self):
        self.run_main("--log", self.log_of(record("relacy", "deque_model.holds", ctest="deque_model.holds", executions=7)))
        code, said = self.run_main("--log", self.log_of(mutant("m")))
        self.assertEqual((code, "2 records: 1 new, 0 changed, 0 gone" in said), (0, True))
        self.assertIn("| Mutants | 1 killed", self.page.read_text(encoding="utf-8"))
        self.assertIn("| Model checks by Relacy | 7 executions", self.page.read_text(encoding="utf-8"))

    def test_a_mutant_that_survives_is_kept_and_said(self):
        code, said = self.run_main("--log", self.log_of(mutant("m", "survived")))
        self.assertEqual((code, "failed: m: survived" in said), (1, True))

    def test_the_check_names_what_is_missing_and_writes_nothing(self):
        self.run_main()
        with mock.patch.object(freshness, "MAY_BE_MISSING", 2):
            code, said = self.run_main("--check")
        self.assertEqual(code, 1)
        for line in ("missing: mutant m", "missing: relacy deque_model.holds", "missing: explorer explorer.deque_model.holds"):
            self.assertIn(line, said.splitlines())
        self.assertEqual(Kept.read(self.kept).all(), [])

    def test_the_check_sees_a_page_that_somebody_edited_and_a_record_of_what_is_gone(self):
        self.run_main("--log", self.log_of(mutant("m")))
        self.assertEqual(self.run_main("--check")[0], 0)
        self.page.write_text(self.page.read_text(encoding="utf-8") + "more", encoding="utf-8")
        self.assertIn("is not what the records", self.run_main("--check")[1])
        Kept([*Kept.read(self.kept).all(), record("spin", "old.case", ctest="spin.old.case")]).write(self.kept)
        code, said = self.run_main("--check")
        self.assertEqual((code, "gone: spin old.case, told by spin.old.case" in said), (1, True))
        self.run_main()
        self.assertEqual(self.run_main("--check")[0], 0)

    def test_the_table_of_one_kind_is_printed_and_nothing_written(self):
        folder = build_folder(self.root)
        code, said = self.run_main("--only", "relacy", build=folder)
        self.assertEqual((code, self.page.exists(), self.kept.exists()), (1, False, False))  # a test of that run failed
        self.assertEqual(said.splitlines()[:2], ["name   executions  test", "holds  1,500       deque_model.holds"])
        self.assertIn("Edges: no record; ./test -- -R witness -V makes them", self.run_main("--only", "edge", build=folder)[1])

    def test_a_broken_line_is_named(self):
        log = self.root / "log"
        log.write_text("evidence: {broken}\n", encoding="utf-8")
        code, said = self.run_main("--log", str(log))
        self.assertEqual((code, "{broken}" in said, self.page.exists()), (2, True, False))


if __name__ == "__main__":
    unittest.main()
