"""Lets gdb run the sample until it aborts, keeps a core file, and asks filch_gdb.py what it holds.

gdb_test.py SAMPLE TYPES_OBJECT; exit code 77, skipped, without gdb, its Python, or the right to
trace a process.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("filch_gdb.py")
SKIPPED = 77
sample = types = core = ""


def gdb(*commands, files=()):
    arguments = ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off"]
    for each in commands:
        arguments += ["-ex", each]
    done = subprocess.run([*arguments, *files], capture_output=True, text=True, timeout=120, check=False)
    return done.stderr + done.stdout


def ask(*commands, program=None):
    """What gdb says about the core file, with the types of the library."""
    return gdb(f"source {SCRIPT}", f"filch types {types}", *commands, files=(program or sample, core))


def rows_of(text):
    """The rows of `filch workers`, as dictionaries."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("  worker  "))
    names = [name.strip() for name in re.split(r"  +", lines[first].strip())]
    starts = [lines[first].index(name) for name in names]
    rows = []
    for line in lines[first + 1:]:
        if not re.match(r"  \d", line):
            break
        cells = [line[begin:end].strip() for begin, end in zip(starts, starts[1:] + [None])]
        rows.append(dict(zip(names, cells)))
    return rows


class Commands(unittest.TestCase):
    def test_workers_shows_a_blocked_worker_and_a_computing_one(self):
        text = ask("frame function main", "filch workers pool")
        by_activity = {row["activity"]: row for row in rows_of(text)}
        self.assertIn("blocked", by_activity, text)
        self.assertIn("working", by_activity, text)
        self.assertEqual("-", by_activity["blocked"]["slot"], text)
        self.assertRegex(by_activity["working"]["slot"], r"^\d+$", text)
        self.assertRegex(by_activity["blocked"]["waits for"], r"^[a-z].*filch::", text)
        self.assertEqual("", by_activity["working"]["waits for"], text)
        for row in by_activity.values():
            self.assertEqual(("0", "0"), (row["private"], row["public"]), text)

    def test_workers_counts_the_forks_of_a_worker(self):
        text = ask("frame function main", "filch workers single")
        forks = sum(int(row["private"]) + int(row["public"]) for row in rows_of(text))
        self.assertEqual(2, forks, text)

    def test_workers_shows_every_pool(self):
        text = ask("filch workers")
        self.assertEqual(2, len(re.findall(r"^pool [12] ", text, re.M)), text)

    def test_the_thread_named_for_a_worker_is_in_its_job(self):
        rows = {row["activity"]: row["thread"] for row in rows_of(ask("frame function main", "filch workers pool"))}
        self.assertIn("compute_forever", ask(f"thread {rows['working']}", "bt"))
        self.assertIn("wait_for_long", ask(f"thread {rows['blocked']}", "bt"))

    def test_the_selected_thread_and_frame_stay(self):
        text = ask("frame function main", "filch workers", "frame")
        self.assertRegex(text, r"(?s)\n#\d+ .* main \(\) at .*\npool 1 .*\n#\d+ .* main \(\) at ")

    def test_pools_shows_slots_and_threads(self):
        text = ask("filch pools")
        self.assertRegex(text, r'pool 1 "filch" at 0x[0-9a-f]+: 2 slots, 1 free; [0-9]+ threads')
        self.assertRegex(text, r'pool 2 "filch" at 0x[0-9a-f]+: 1 slots, 0 free; [0-9]+ threads')

    def test_a_pool_can_be_named_if_the_list_has_no_symbol(self):
        pool = re.search(r"at (0x[0-9a-f]+): 2 slots", ask("filch pools"))[1]
        with tempfile.NamedTemporaryFile() as bare:
            subprocess.run(["strip", "-o", bare.name, sample], check=True)
            text = ask("filch workers", f"filch workers {pool}", program=bare.name)
        self.assertIn("no debug information: the symbol of the list of pools", text)
        self.assertIn("working", {row["activity"] for row in rows_of(text)}, text)

    def test_without_types_it_says_so_and_goes_on(self):
        text = gdb(f"source {SCRIPT}", "filch workers", "echo goes on", files=(sample, core))
        if "  worker  " not in text:  # the library itself has its types
            self.assertIn("no debug information: no loaded file describes", text)
        self.assertTrue(text.endswith("goes on"), text)

    def test_without_a_process_it_says_so(self):
        text = gdb(f"source {SCRIPT}", "filch pools", "filch workers", "echo goes on", files=(sample,))
        self.assertTrue(text.endswith("goes on"), text)
        self.assertNotIn("Traceback", text)


class Printers(unittest.TestCase):
    def printed(self, name):
        return ask("frame function main", f"print {name}").splitlines()[-1]

    def test_a_channel_shows_its_values(self):
        self.assertIn("filch::channel<int>: 3 values of 8, 0 senders wait, 0 receivers wait = "
                      "{10, 11, 12}", self.printed("numbers"))

    def test_a_mutex_shows_whether_it_is_locked(self):
        self.assertIn("filch::async_mutex: locked, 0 wait", self.printed("lock"))

    def test_a_task_shows_its_phase_and_its_coroutine(self):
        self.assertRegex(self.printed("not_begun"), r"filch::task<int>: not_begun, frame 0x[0-9a-f]+ of .*seven\(\) \(")
        self.assertIn("filch::task<int>: empty", self.printed("moved"))

    def test_a_join_handle_shows_what_its_task_returned(self):
        self.assertRegex(self.printed("ended"), r"filch::join_handle<int>: finished, .*seven.*7}")

    def test_a_pool_is_printed_as_its_line(self):
        self.assertRegex(self.printed("pool"), r'pool 1 "filch" at 0x')


def make_core(folder):
    """Returns why there is none, or nothing."""
    if shutil.which("gdb") is None:
        return "gdb is not installed"
    if "has Python" not in gdb("python print('has Python')"):
        return "this gdb has no Python"
    text = gdb("run", f"generate-core-file {folder}/core", "kill", files=(sample,))
    if "SIGABRT" not in text:
        return f"gdb may not trace a process here:\n{text}"
    return "" if pathlib.Path(f"{folder}/core").exists() else f"gdb has made no core file:\n{text}"


if __name__ == "__main__":
    sample, types = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as made:
        core = f"{made}/core"
        missing = make_core(made)
        if missing:
            print(f"skipped: {missing}")
            sys.exit(SKIPPED)
        unittest.main(argv=sys.argv[:1], verbosity=2)
