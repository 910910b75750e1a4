"""Builds one contender of each language that is installed, lets it solve a small problem, and runs a bundle's sweep on contenders that are shell
scripts. So neither rots between the runs that measure. What is not installed is skipped by name.

rot_test.py SWEEP FOLDER PROGRAM...: the program bench_sweep, a folder for what is built, which is kept for the next time, and contenders in C++.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(BENCH))

from harness import languages, merge, settling  # noqa: E402

SWEEP, FOLDER, PROGRAMS = None, None, []
SMALL = ["--workers", "1", "--repeat", "2", "--size", "15"]


class Languages(unittest.TestCase):
    def solve(self, program, words=SMALL):
        done = subprocess.run([str(program), *words], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line["correct"] for line in lines], [True, True])
        self.assertGreater(lines[0]["peak_rss_kib"], 0)

    def test_cplusplus(self):
        for program in PROGRAMS:
            with self.subTest(Path(program).name):
                self.solve(program)

    def built(self, build):
        try:
            build()
        except LookupError as missing:
            self.skipTest(missing.args[0])

    def crate(self, problem, peer, words=SMALL):
        # Not optimized: what is asked is whether it compiles, and is right.
        self.built(lambda: languages.build_crates(peer, FOLDER / "rust", flags="", profile=(), problems=[problem]))
        self.solve(FOLDER / "rust" / "debug" / f"bench_{problem}_{peer}", words)

    def test_rayon(self):
        self.crate("fib", "rayon")

    def test_tokio(self):
        self.crate("fib", "tokio")

    def test_crossbeam(self):
        self.crate("deques", "crossbeam", [*SMALL, "--case", "contended", "--workers", "2"])

    def test_go(self):
        self.built(lambda: languages.build_go(FOLDER / "go", problems=["fib"]))
        self.solve(FOLDER / "go" / "bench_fib_go")


class Bundle(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.bundle = Path(self.folder.name) / "bundle"
        said = languages.run([sys.executable, BENCH / "bundle", self.bundle, "--dry-run", "--problem", "fib"])
        self.assertIn("static: ", said)
        self.assertIn("bench_fib_filch", said)
        shutil.copy2(SWEEP, self.bundle / "sweep")

    def contender(self, peer, body):
        languages.write_script(self.bundle / "bin" / f"bench_fib_{peer}", "#!/bin/sh\n" + body)
        grid = json.loads((self.bundle / "grid.json").read_text(encoding="utf-8"))
        for lines in (grid["full"], grid["quick"]):
            lines.append({"problem": "fib", "peer": peer, "compiler": "g++-12", "size": 20, "case": None, "repeat": 5, "alone": False})
        grid["machine"] = {"compilers": {"g++-12": "g++"}, "rustc": None, "oneTBB": None, "Rayon": None, "peers": {}, "commit": None}
        (self.bundle / "grid.json").write_text(json.dumps(grid), encoding="utf-8")

    def sweep(self, *words):
        """(exit status, {(peer, workers): record}) of a sweep."""
        kept = self.bundle / "kept.json"
        done = subprocess.run([str(self.bundle / "run-sweep.sh"), "--json", str(kept), *words], capture_output=True, text=True, timeout=120)
        return done.returncode, {(record.cell.peer, record.cell.workers): record for record in merge.read(kept).records}

    def test_a_sweep_writes_what_merge_reads(self):
        self.contender("serial", """echo '{"seconds": 2, "correct": true}'\n""")
        self.contender("filch", """echo '{"seconds": 1, "steals": 7, "idle_share": 0.5, "correct": true}'\n""")
        status, records = self.sweep("--workers", "1,2", "--samples", "1")
        self.assertEqual((status, sorted(records)), (0, [("filch", 1), ("filch", 2), ("serial", 1)]))
        self.assertEqual([records["filch", 2].median(metric) for metric in ("seconds", "steals", "idle_share")], [1, 7, 0.5])

    def test_a_sweep_that_can_keep_nothing_or_knows_no_such_problem_does_not_begin(self):
        self.contender("filch", "touch \"$0.ran\"\n")
        for words in (["--json", "/no/such/folder/sweep.json"], ["--problem", "fbi", "--json", str(self.bundle / "x.json")]):
            done = subprocess.run([str(self.bundle / "run-sweep.sh"), *words], capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertNotEqual(done.stderr, "")
        self.assertFalse((self.bundle / "bin" / "bench_fib_filch.ran").exists())

    def test_a_wrong_result_fails_the_sweep(self):
        self.contender("filch", """echo '{"seconds": 1, "correct": false}'\n""")
        status, records = self.sweep("--workers", "1", "--samples", "1")
        self.assertEqual((status, records["filch", 1].failure), (1, "computed a wrong result"))

    def test_it_samples_until_the_median_settles_or_the_most(self):
        self.contender("filch", """echo '{"seconds": 1, "correct": true}'\n""")
        # Every other run takes twice as long, so that the median is never sure.
        self.contender("tbb", """n=$(($(cat "$0.count" 2>/dev/null || echo 0) + 1)); echo $n >"$0.count"\necho "{\\"seconds\\": $((n % 2 + 1)), \\"correct\\": true}"\n""")
        _, records = self.sweep("--workers", "1")
        steady, restless = records["filch", 1], records["tbb", 1]
        self.assertLessEqual(len(restless.undisturbed), settling.MOST)
        self.assertGreater(len(restless.samples), settling.LEAST)  # disturbed or not
        self.assertLessEqual(len(steady.undisturbed), settling.LEAST)


if __name__ == "__main__":
    SWEEP, FOLDER, PROGRAMS = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    unittest.main(argv=sys.argv[:1], verbosity=2)
