#!/usr/bin/env python3
"""What the page and the tables behind it say of records."""

import tempfile
import unittest

from evidence_test import DAY, HAZARDS, LOG, NEXT_DAY, kept_of, record
import page
from kept import Kept


class PageTest(unittest.TestCase):
    def page_of(self, log=LOG, loose=(), sanitizers=""):
        """The page, and behind it the tables."""
        with tempfile.TemporaryDirectory() as root:
            kept = kept_of(root, log, sanitizers, loose)
            return page.page(kept, HAZARDS) + page.tables(kept, HAZARDS)

    def test_counts_stand_beside_their_command(self):
        text = self.page_of()
        self.assertIn("| Model checks by Relacy | 1,500 executions, 1 record | `./test --long -- -L model` |", text)
        self.assertIn("| Mutants | 1 killed, 0 equivalent, 1 neither | `tests/mutants/mutants.py` |", text)
        self.assertRegex(text, r"\| gcc-12 \| - \| 2 \| 0 \| deque_model.breaks \| 0 \| 0 \| - \| \d{4}-\d\d-\d\d \| `./test` \|")
        self.assertIn("| compiler | c++ 12 |", text)

    def test_variants_are_counted_by_themselves(self):
        variant = record("variant", "v", room="spinning", hazards=[], claim="Never.", reason="So what.", test="a.b", verdict="variant holds",
                         as_claimed=True, seconds=2.0)
        text = self.page_of(loose=[variant, variant | {"name": "w", "verdict": "variant fails", "as_claimed": False}])
        self.assertIn("| Mutants | 1 killed, 0 equivalent, 1 neither |", text)
        self.assertIn("| Variants | 1 hold, 1 do not | `tests/mutants/mutants.py spinning` |", text)
        self.assertIn("| `v` | Never. So what. | a.b | variant holds | 2.00 s |", text)
        self.assertIn("| variants that fail | at most 0 | 1 | **no** |", text)

    def test_what_nobody_recorded_is_said(self):
        self.assertIn("| SPIN models | no record of `spin` |", self.page_of())
        text = page.page(Kept(), HAZARDS) + page.tables(Kept(), HAZARDS)
        self.assertIn("## Mutants\n\nNo record of `mutant`.", text)
        self.assertIn("## Test suites\n\nNo record of any.", text)

    def test_a_record_of_any_fields_gets_a_row(self):
        text = self.page_of(loose=[record("explorer", "deque", executions=9, states=1234, complete=True, bound=3),
                                   record("explorer", "injector", states=6, complete=False)])
        self.assertIn("| name | executions | states | complete | bound | test |", text)
        self.assertIn("| deque | 9 | 1,234 | yes | 3 | t.deque |\n| injector | - | 6 | no | - | t.injector |", text)
        self.assertIn("Together: 9 executions, 1,240 states, 1 of 2 complete.", text)

    def test_sanitizers_and_valgrind_are_counted_by_test(self):
        text = self.page_of(LOG.replace("deque_model.holds", "valgrind.deque_test.fair"), sanitizers="thread")
        self.assertIn("| Sanitizers | 2 tests in gcc-12 | `./test --sanitize` |", text)
        self.assertIn("| Valgrind's thread schedulers | 1 programs passed | `./test -- -L valgrind` |", text)

    def test_a_program_that_only_a_long_run_has_under_valgrind_is_not_counted(self):
        log = LOG.replace("deque_model.holds", "valgrind.deque_test.fair").replace('"executions": 1500}', '"executions": 1500}\n[  SKIPPED ] FILCH_LONG=1 runs it')
        self.assertIn("| Valgrind's thread schedulers | no record | ", self.page_of(log))

    def test_the_page_adds_up_the_minutes_that_are_known(self):
        suites = [{"name": "a", "minutes_for_evidence": 2.5}, {"name": "b", "minutes_for_evidence": 3}]
        self.assertTrue(page.minutes_text(suites).endswith("together\n6."))
        self.assertTrue(page.minutes_text([*suites, {"name": "old"}]).endswith("together\n6, but for old, of which it is not known."))

    def test_the_page_says_which_bars_are_met(self):
        text = self.page_of(loose=[record("relacy", "much", executions=10_000_000)])
        self.assertIn("| executions by Relacy | at least 10,000,000 | 10,001,500 | yes |", text)
        self.assertIn("| mutants neither killed nor equivalent | at most 0 | 1 | **no** |", text)

    def test_a_hazard_says_what_catches_it_and_what_put_it_back(self):
        text = self.page_of()
        self.assertIn("| 2 | two | 1 test | 1 mutant |", text)
        self.assertIn("| 2 | two | `deque_model.holds` | `m` |", text)
        self.assertIn("| 4 | four | Nothing like it here. | - |", text)  # the mutant of 4 survived
        self.assertIn("| 67 | sixty-seven | not yet: room attic | - |", text)
        self.assertIn("1 caught by tests, 1 cannot occur, 1 in rooms that do not exist yet; 2 put back", text)

    def test_the_page_says_from_when_its_records_are(self):
        text = page.page(Kept([record("spin", "a"), record("spin", "b", when=NEXT_DAY)]), HAZARDS)
        self.assertIn(f"| spin | 2 | {DAY} | {NEXT_DAY} |", text)

    def test_the_same_logs_make_the_same_page(self):
        loose = [record("stress", name, operations=5) for name in ("b", "a")]
        self.assertEqual(self.page_of(loose=loose), self.page_of(loose=loose[::-1]))


if __name__ == "__main__":
    unittest.main()
