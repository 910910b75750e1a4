"""The grid as data: every problem at its sizes, and the peers that solve it there.

A peer whose forks are dear stands at a size that it can bear, beside everyone else at that size.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from harness.cells import Cell
from harness.languages import TOOL_OF

LOOPS = ("serial", "filch", "tbb")
FORKS = ("serial", "filch", "tbb", "omp", "async")
SORTS = ("serial", "filch", "tbb", "pstl", "gnu", "rayon")
RIVALS = ("central_queue", "central_stack", "work_sharing", "mutex_deques", "chase_lev")  # of compare/
EVERYONE = (*FORKS, "fiber", "rayon", "tokio", "go")
ALGORITHMS = ("pstl", "gnu")  # peers that have no way to fork
MEMORY_BOUND = ("loop", "reduce", "scan", "find")  # one pass over more than a cache holds: pure bandwidth, which no scheduler can add to
ABSENT = Path(__file__).resolve().parents[1] / "absent.toml"


@dataclass(frozen=True)
class Entry:
    """One line of the grid. `kind`: "forks", recursions, over which the geometric mean is taken; "loops", and algorithms; "parts" of a runtime."""

    title: str
    problem: str
    peers: tuple
    size: int | None = None
    case: str | None = None
    repeat: int = 1
    kind: str = "forks"
    alone: bool = False  # with one worker only, whatever is asked for

    @property
    def fork_join(self):
        return self.kind == "forks"

    def cell(self, peer, compiler, workers):
        return Cell(self.problem, peer, TOOL_OF.get(peer, compiler), workers, self.size, self.case, self.repeat)

    def cells(self, compiler, worker_counts):
        """Every contender of the line; the serial one once, and std::async if it forks: at one worker it is the serial program."""
        return [self.cell(peer, compiler, workers) for peer in self.peers
                for workers in ((1,) if peer == "serial" or self.alone else worker_counts) if peer != "async" or workers > 1]

    @property
    def place(self):
        """What a cell has in common with the line that it belongs to."""
        return (self.problem, self.size, self.case, self.repeat)


def place_of(cell):
    return (cell.problem, cell.size, cell.case, cell.repeat)


def forks(quick):
    few = 3 if quick else 5
    trees = ("T1", "T3") if quick else ("T1", "T2", "T3", "T4", "T5")
    fib, queens, area, leaves = (32, 11, 1000, 10**6) if quick else (39, 13, 2000, 10**8)
    values, points, side, plate, items, nodes = (10**6, 18, 512, 512, 28, 10**5) if quick else (10**7, 20, 2048, 2048, 36, 10**8)
    return [
        Entry(f"fib({fib})", "fib", ("serial", "filch", "tbb", "rayon"), fib),
        Entry("fib(27)", "fib", (*(peer for peer in EVERYONE if peer != "fiber"), *RIVALS), 27, repeat=few),
        Entry("fib(20)", "fib", EVERYONE, 20, repeat=few),
        Entry(f"skynet, {leaves:,} leaves", "skynet", (*LOOPS, "async", "rayon"), leaves),
        Entry("skynet, 100,000 leaves", "skynet", (*FORKS, "rayon", "tokio", "go", *RIVALS), 10**5,
              repeat=few),
        Entry("skynet, 10,000 leaves", "skynet", (*FORKS, "fiber", "rayon", "tokio", "go"), 10**4,
              repeat=few),
        Entry(f"nqueens({queens})", "nqueens", (*FORKS, "rayon", "go"), queens),
        Entry("nqueens(9)", "nqueens", (*FORKS, "fiber", "rayon", "go", *RIVALS), 9, repeat=few),
        *(Entry(f"UTS {tree}", "uts", (*FORKS, *{"T1": (*RIVALS, "go"), "T3": ("fiber", "go")}.get(tree, ()), "rayon"), case=tree) for tree in trees),
        Entry(f"integrate({area})", "integrate", (*FORKS, "rayon"), area),
        Entry("integrate(10)", "integrate", (*FORKS, "fiber", "rayon", "go"), 10, repeat=few),
        Entry(f"matmul({side})", "matmul", (*FORKS, "fiber", "rayon", "go"), side),
        Entry(f"fft, 2^{points} points", "fft", (*FORKS, "rayon", "go"), points),
        Entry("fft, 2^12 points", "fft", (*FORKS, "fiber", "rayon", "go"), 12, repeat=few),
        Entry(f"mergesort of {values:,}", "mergesort", (*FORKS, "rayon", "go"), values),
        Entry("mergesort of 100,000", "mergesort", (*FORKS, "fiber", "rayon", "go"), 10**5, repeat=few),
        Entry(f"quicksort of {values:,}", "quicksort", (*FORKS, "rayon", "go"), values),
        Entry("quicksort of 100,000", "quicksort", (*FORKS, "fiber", "rayon", "go"), 10**5, repeat=few),
        Entry(f"strassen({side})", "strassen", (*FORKS, "fiber", "rayon", "go"), side),
        Entry(f"lu({side})", "lu", (*FORKS, "fiber", "rayon", "go"), side),
        Entry(f"heat, {plate} x {plate} points", "heat", (*FORKS, "fiber", "rayon", "go"), plate),
        Entry(f"knapsack, {items} items", "knapsack", (*FORKS, "rayon"), items, repeat=few),
        Entry("knapsack, 24 items", "knapsack", (*FORKS, "rayon", "go"), 24, repeat=few),
        Entry(f"tree sum, {nodes:,} nodes", "tree_sum", (*LOOPS, "async", "rayon"), nodes, "balanced"),
        *([] if quick else [Entry("tree sum, 1,000,000 nodes", "tree_sum", (*LOOPS, "async", "rayon"), 10**6, "balanced", few)]),
        Entry("tree sum, 1,000 nodes", "tree_sum", (*LOOPS, "omp", "fiber", "rayon", "go"), 1000, "balanced", few),
    ]


def loops(quick):
    few = 3 if quick else 5
    values, floats, primes, graph, meshed = (10**6, 10**7, 5 * 10**5, 15, 13) if quick else (10**7, 10**8, 5 * 10**6, 20, 17)
    return [Entry(title, problem, peers, size, case, few, "loops") for title, problem, peers, size, case in (
        ("mandelbrot", "mandelbrot", (*LOOPS, *ALGORITHMS, "omp", "rayon"), None, None),
        ("sum, a million of uneven cost", "sum", (*LOOPS, *ALGORITHMS, "omp", "rayon"), None, None),
        ("skewed loop, a ramp", "skewed", (*LOOPS, *ALGORITHMS, "omp", "rayon"), None, "ramp"),
        ("skewed loop, rare peaks", "skewed", (*LOOPS, *ALGORITHMS, "omp", "rayon"), None, "rare"),
        (f"primes below {primes:,}", "primes", (*LOOPS, *ALGORITHMS, "omp", "rayon"), primes, None),
        (f"breadth-first search of a random graph, 2^{graph} vertices", "bfs", (*LOOPS, "omp", "rayon"), graph, None),
        (f"triangles of a random graph, 2^{meshed} vertices", "triangles", ("serial", "filch", "threads", "tbb", *ALGORITHMS, "omp", "rayon"), meshed, None),
        ("words of the files below /usr/share/doc", "words", ("serial", "filch", "threads", "tbb", "omp", "rayon"), None, "/usr/share/doc"),
        (f"a[i] += 1, {floats:,}", "loop", (*LOOPS, *ALGORITHMS, "omp", "rayon"), floats, None),
        (f"reduce of {floats:,} floats", "reduce", ("serial", "filch", "threads", "tbb", *ALGORITHMS, "omp", "rayon"), floats, "sum"),
        (f"scan of {values:,} integers", "scan", (*LOOPS, *ALGORITHMS, "omp"), values, "ints"),
        (f"find at the end of {floats:,}", "find", ("serial", "filch", *ALGORITHMS, "rayon"), floats, "end"),
        (f"sort of {values:,} numbers", "sort", SORTS, values, "random"),
        (f"stable sort of {values:,} numbers", "sort", ("serial", "filch", "pstl", "gnu", "rayon"), values, "stable-random"),
        (f"integer sort of {values:,}", "integer_sort", SORTS, values, "numbers"),
        (f"merge of {values:,}", "merge", ("serial", "filch", "pstl", "gnu"), values, None),
        (f"group {values:,} by a million keys", "group_by_key", ("serial", "filch", "pstl", "gnu"), values, "many"),
    )]


def parts(quick):
    """What a scheduler is made of, beside what others make theirs of."""
    few, items = (3, 10**6) if quick else (5, 10**7)
    return [Entry(f"deque: {title} {items:,}", "deques", ("filch", "mutex", "crossbeam"), items, case, few, "parts", case != "contended") for title, case in (
        ("push and pop", "push-pop"), ("push and steal, one thread", "steal"), ("push and pop while others steal,", "contended"))]


def entries(quick):
    return forks(quick) + loops(quick) + parts(quick)


def known_places():
    """The line of the grid at each place, of the full grid and of the quick one."""
    return {entry.place: entry for quick in (False, True) for entry in entries(quick)}


def absences():
    """[(peer, problems, reason)]: which peers have no program for which problems, out of the file."""
    return [(each["peer"], each["problems"], each["reason"]) for each in tomllib.loads(ABSENT.read_text(encoding="utf-8"))["absent"]]
