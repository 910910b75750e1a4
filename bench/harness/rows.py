"""The table of figures that must hold, as data: what is measured, how the figure comes of it, and its bar."""

from collections.abc import Callable
from dataclasses import dataclass

from harness.cells import Cell
from harness.languages import TOOL_OF


@dataclass(frozen=True)
class Bar:
    sense: str  # "at most" or "at least"
    limit: float

    def holds(self, figure):
        return figure <= self.limit if self.sense == "at most" else figure >= self.limit


@dataclass(frozen=True)
class Row:
    """`figure` is called with one median for each of `readings`, in their order."""

    problem: str
    what: str
    readings: tuple  # of (Cell, name of the value that its program prints)
    figure: Callable[..., float]
    unit: str
    bar: Bar | None = None
    lost_below: float | None = None  # for a comparison without a bar: below this the peer was ahead


def at_most(limit):
    return Bar("at most", limit)


def at_least(limit):
    return Bar("at least", limit)


def fork_count(n):
    """Forks that the Fibonacci recursion makes: one for each call that is not a leaf."""
    before, at = 0, 1
    for _ in range(n):
        before, at = at, before + at
    return at - 1


FULL = {"fib": 39, "skynet": 10**8, "queens": 14, "queens_pair": 13, "integrate": 2000, "loop": 10**8, "floats": 10**8, "scan": 10**7, "nodes": 10**8,
        "sort": 10**7, "loops": 20_000, "cold_loops": 100, "joins": 100, "quiet_seconds": 10, "job_seconds": 5, "echoes": 64_000, "values": 10**6, "turns": 640_000, "tasks": 10**6, "sleeps": 10**5, "load_seconds": 3, "mixed_seconds": 5, "matrix": 4096, "order_rounds": 21, "repeat": 1}
QUICK = {"fib": 34, "skynet": 10**6, "queens": 11, "queens_pair": 11, "integrate": 1000, "loop": 10**7, "floats": 10**7, "scan": 10**6, "nodes": 10**5,
         "sort": 10**6, "loops": 5_000, "cold_loops": 30, "joins": 5, "quiet_seconds": 6, "job_seconds": 1, "echoes": 6_400, "values": 10**5, "turns": 64_000, "tasks": 10**5, "sleeps": 10**4, "load_seconds": 1, "mixed_seconds": 1, "matrix": 1024, "order_rounds": 3, "repeat": 3}


class Table:
    """The rows for one compiler."""

    def __init__(self, compiler, quick):
        self.compiler = compiler
        self.sizes = QUICK if quick else FULL
        self.idle_samples = 1 if quick else 5
        self.rows = []
        for add in (self.add_forks, self.add_against_peers, self.add_against_serial, self.add_two_workers, self.add_dispatch, self.add_callers,
                    self.add_idleness, self.add_memory, self.add_leaves, self.add_folds, self.add_searches, self.add_scans, self.add_sorting,
                    self.add_keys, self.add_tasks, self.add_sleeps, self.add_sockets, self.add_queries, self.add_senders, self.add_primitives, self.add_mixed, self.add_graphs, self.add_survey):
            add()

    def cell(self, problem, peer, workers=1, **more):
        compiler = TOOL_OF.get(peer, self.compiler)
        return Cell(problem, peer, compiler, workers, **{"repeat": self.sizes["repeat"], **more})

    def add(self, problem, what, cells, figure, unit, bar=None, metric="seconds", lost_below=None):
        self.rows.append(Row(problem, what, tuple((cell, metric) for cell in cells), figure, unit, bar, lost_below))

    def add_ratio(self, problem, what, upper, lower, bar=None, lost_below=None):
        self.add(problem, what, (upper, lower), lambda a, b: a / b, "x", bar, lost_below=lost_below)

    def add_forks(self):
        n = self.sizes["fib"]
        self.add("fib", f"cost of an unstolen fork: (T1 - serial) / forks, fib({n})",
                 (self.cell("fib", "filch", size=n), self.cell("fib", "serial", size=n)),
                 lambda one, serial: (one - serial) / fork_count(n) * 1e9, "ns", at_most(2.5))

    def add_against_peers(self):
        n, leaves = self.sizes["fib"], self.sizes["skynet"]
        for peer, title, limit in (("tbb", "oneTBB task_group", 20), ("rayon", "Rayon join", 3.3)):
            for workers in (1, 2):
                self.add_ratio("fib", f"fib({n}): {title} against filch, workers: {workers}",
                               self.cell("fib", peer, workers, size=n), self.cell("fib", "filch", workers, size=n), at_least(limit))
        for workers in (1, 2):
            self.add_ratio("skynet", f"skynet, {leaves:,} leaves: oneTBB against filch, workers: {workers}",
                           self.cell("skynet", "tbb", workers, size=leaves), self.cell("skynet", "filch", workers, size=leaves),
                           at_least(9))
            self.add_ratio("skynet", f"skynet, {leaves:,} leaves: Rayon's iterator against filch, workers: {workers}",
                           self.cell("skynet", "rayon", workers, size=leaves), self.cell("skynet", "filch", workers, size=leaves),
                           lost_below=1)

    def add_against_serial(self):
        queens, length = self.sizes["queens"], self.sizes["loop"]
        self.add_ratio("nqueens", f"nqueens({queens}): one worker against plain recursion",
                       self.cell("nqueens", "filch", size=queens), self.cell("nqueens", "serial", size=queens), at_most(1.02))
        for case, nodes, bar, repeat in (("balanced", 1000, at_most(1.6), 20), ("grown", 1000, at_most(1.6), 20),
                                         ("grown-spaced", 1000, None, 3), ("grown", 1_000_000, None, 1)):
            how = {"size": nodes, "case": case, "repeat": repeat}
            for workers in (1, 2):
                self.add_ratio("tree_sum", f"sum of a {case} tree of {nodes:,} nodes inside run: against serial, workers: {workers}",
                               self.cell("tree_sum", "filch", workers, **how), self.cell("tree_sum", "serial", **how), bar)
        how = {"size": self.sizes["nodes"], "case": "balanced"}
        serial, one, two = self.cell("tree_sum", "serial", **how), self.cell("tree_sum", "filch", 1, **how), self.cell("tree_sum", "filch", 2, **how)
        title = f"sum of a balanced tree of {self.sizes['nodes']:,} nodes: "
        self.add_ratio("tree_sum", title + "one worker against serial", one, serial, at_most(1.3))
        self.add_ratio("tree_sum", title + "one worker against two", one, two, at_least(1.9))
        self.add_ratio("tree_sum", title + "serial against two workers", serial, two)
        self.add_ratio("loop", f"a[i] += 1 over {length:,} elements: one worker against the plain loop",
                       self.cell("loop", "filch", size=length, repeat=5), self.cell("loop", "serial", size=length, repeat=5),
                       at_most(1.03))

    def add_two_workers(self):
        for problem, title, more in (("fib", "fib({})", {"size": self.sizes["fib"]}), ("uts", "UTS T1", {"case": "T1"}),
                                     ("nqueens", "nqueens({})", {"size": self.sizes["queens_pair"]}),
                                     ("integrate", "integrate({})", {"size": self.sizes["integrate"]})):
            self.add_ratio(problem, title.format(more.get("size")) + ": one worker against two",
                           self.cell(problem, "filch", 1, **more), self.cell(problem, "filch", 2, **more), at_least(1.9))

        for case in ("ramp", "pareto", "rare", "clustered"):
            cells = [self.cell("skewed", "filch", workers, case=case) for workers in (1, 2)]
            self.add_ratio("skewed", f"skewed loop ({case}): one worker against two", *cells,
                           None if case == "clustered" else at_least(1.95))
            self.add_ratio("skewed", f"skewed loop ({case}): one worker against serial", cells[0], self.cell("skewed", "serial", case=case))
            for workers, mine in zip((1, 2), cells):
                self.add_ratio("skewed", f"skewed loop ({case}): oneTBB against filch, workers: {workers}",
                               self.cell("skewed", "tbb", workers, case=case), mine, lost_below=1)

    def add_dispatch(self):
        loops, cold = self.sizes["loops"], self.sizes["cold_loops"]
        for suffix, where, limit_ns in (("", "from outside", 130), ("-inside", "inside run", 60)):
            empty = {"size": loops, "case": "empty" + suffix, "repeat": 5}
            meet = {"size": loops, "case": "meet" + suffix, "repeat": 3}
            rest = {"size": cold, "case": "cold" + suffix, "repeat": 1}
            mine = self.cell("dispatch", "filch", 2, **empty)
            self.add("dispatch", f"loop of 2 empty iterations {where}", (mine,), lambda s: s * 1e9, "ns", at_most(limit_ns))
            self.add_ratio("dispatch", f"loop of 2 empty iterations {where}: filch against oneTBB", mine,
                           self.cell("dispatch", "tbb", 2, **empty), at_most(1))
            self.add("dispatch", f"rendezvous {where}, back to back", (self.cell("dispatch", "filch", 2, **meet),),
                     lambda s: s * 1e9, "ns", at_most(600))
            self.add("dispatch", f"rendezvous {where}, after 10 ms of idleness", (self.cell("dispatch", "filch", 2, **rest),),
                     lambda s: s * 1e6, "us", at_most(80))
            for case, scale, unit, what in ((empty, 1e9, "ns", "loop of 2 empty iterations"), (meet, 1e9, "ns", "rendezvous"),
                                            (rest, 1e6, "us", "rendezvous after 10 ms")):
                for peer in ("tbb", "rayon") + (("omp",) if not suffix else ()):
                    self.add("dispatch", f"{peer}: {what} {where}", (self.cell("dispatch", peer, 2, **case),),
                             lambda s, scale=scale: s * scale, unit)

    def add_callers(self):
        busy = {"case": "first", "size": 64, "repeat": 3}
        short = {"case": "short", "size": 64, "repeat": 1}
        mine = self.cell("callers", "filch", 2, **busy)
        self.add("callers", "first iteration beside 64 threads in loops", (mine,), lambda s: s * 1e9, "ns")
        self.add_ratio("callers", "first iteration beside 64 threads in loops: against one", mine,
                       self.cell("callers", "filch", 2, **{**busy, "size": 1}), at_most(2))
        self.add_ratio("callers", "short loops of 64 threads: filch against oneTBB", self.cell("callers", "filch", 2, **short),
                       self.cell("callers", "tbb", 2, **short), at_most(1))

    def add_idleness(self):
        seconds, job = self.sizes["quiet_seconds"], self.sizes["job_seconds"]
        itself = lambda value: value
        quiet, *others = (self.cell("idle", peer, 2, size=seconds, case="quiet", repeat=1, samples=self.idle_samples)
                          for peer in ("filch", "tbb", "rayon", "omp", "go"))
        what = f"idle: CPU over the {seconds} s after the last job"
        self.add("idle", what, (quiet,), itself, "ms/s", at_most(1), "cpu_ms_per_second")
        for other in others:
            self.add("idle", f"{other.peer}: {what}", (other,), itself, "ms/s", None, "cpu_ms_per_second")
        self.add("idle", f"idle: context switches in the last {seconds / 2:g} of those seconds", (quiet,), itself, "", at_most(0),
                 "switches")
        trickle = {"size": job, "case": "trickle", "repeat": 1, "samples": self.idle_samples}
        self.add("idle", "one trivial submit every 1 ms: the whole process", (self.cell("idle", "filch", 2, **trickle),), itself,
                 "% of a core", at_most(3), "core_percent")
        self.add("idle", "one trivial submit every 1 ms: above the same program without a pool",
                 (self.cell("idle", "filch", 2, **trickle), self.cell("idle", "serial", **trickle)), lambda a, b: a - b,
                 "% of a core", None, "core_percent")
        for workers in (2, 4):
            self.add("idle", f"one worker runs a long job: the busiest other thread, workers: {workers}",
                     (self.cell("idle", "filch", workers, size=job, case="long-job", repeat=1, samples=self.idle_samples),), itself, "% of a core",
                     at_most(1), "core_percent")

    def add_memory(self):
        for problem, title, more in (("fib", f"fib({self.sizes['fib']})", {"size": self.sizes["fib"]}),
                                     ("uts", "UTS T3", {"case": "T3"})):
            self.add(problem, f"peak memory of {title}, workers: 2, above the serial program's",
                     (self.cell(problem, "filch", 2, **more), self.cell(problem, "serial", 1, **more)),
                     lambda filch, serial: (filch - serial) / 1024, "MiB", at_most(2), "peak_rss_kib")

    def add_leaves(self):
        joins = self.sizes["joins"]
        for case, what in (("parked", "is parked"), ("searching", "is searching"), ("late", "becomes idle 1 ms after the fork")):
            self.add("leaves", f"join of two 50 ms leaves, the other worker {what}: under 57 ms, {joins} times",
                     (self.cell("leaves", "filch", 2, size=joins, case=case, repeat=1, samples=1),), lambda percent: percent, "%",
                     at_least(95), "in_time_percent")

    def add_sorting(self):
        """Every peer at one worker and at two; what keeps equal elements in order must be ahead at two only."""
        cases = [(case, "sort of {:,} elements, " + case) for case in ("random", "double", "string", "nearly", "few")]
        for case, what in cases + [("stable-random", "stable sort of {:,} elements, random")]:
            more = {"case": case, "size": self.sizes["sort"], "repeat": 1 if case == "string" else 3}
            is_stable = case.startswith("stable")
            for peer in ("serial", "tbb", "pstl", "gnu", "rayon"):
                if peer == "tbb" and is_stable:
                    continue
                for workers in (1, 2):
                    must = workers == 2 or not is_stable
                    self.add_ratio("sort", f"{what.format(more['size'])}: {peer} against filch, workers: {workers}",
                                   self.cell("sort", peer, 1 if peer == "serial" else workers, **more),
                                   self.cell("sort", "filch", workers, **more), at_least(1) if must else None, lost_below=None if must else 1)

    def add_keys(self):
        """Integer sort, merge and grouping: every peer at one worker and at two."""
        for problem, case, title, peers in (
                ("integer_sort", "numbers", "integer_sort of 64-bit numbers", ("serial", "tbb", "pstl", "gnu", "rayon")),
                ("integer_sort", "records", "integer_sort of records by 20 bits", ("serial", "tbb", "pstl", "gnu", "rayon")),
                ("merge", None, "merge of numbers", ("serial", "pstl", "gnu")),
                ("group_by_key", "many", "group_by_key, a million keys", ("serial", "pstl", "gnu")),
                ("group_by_key", "few", "group_by_key, a thousand keys", ("serial", "pstl", "gnu"))):
            how = {"size": self.sizes["sort"], "repeat": 3} | ({"case": case} if case else {})
            for peer in peers:
                for workers in (1, 2):
                    self.add_ratio(problem, f"{title}: {peer} against filch, workers: {workers}",
                                   self.cell(problem, peer, 1 if peer == "serial" else workers, **how),
                                   self.cell(problem, "filch", workers, **how),
                                   at_least(1) if workers == 2 else None, lost_below=1 if workers == 1 else None)

    def add_scans(self):
        for case, title in (("ints", "inclusive_scan of integers"), ("doubles", "inclusive_scan of doubles"), ("exclusive", "exclusive_scan of integers"),
                            ("tenth", "copy_if of a tenth"), ("half", "copy_if of half"), ("all", "copy_if of all")):
            how = {"size": self.sizes["scan"], "case": case, "repeat": 5}
            serial = self.cell("scan", "serial", **how)
            self.add_ratio("scan", f"{title}: serial against filch, workers: 1", serial, self.cell("scan", "filch", **how), at_least(1))
            mine = self.cell("scan", "filch", 2, **how)
            self.add_ratio("scan", f"{title}: serial against filch, workers: 2", serial, mine, at_least(1))
            # Rayon has no scan, gcc's parallel mode no copy_if, and neither it nor oneTBB sums of what lies before.
            others = {"ints": ("tbb", "pstl", "gnu"), "doubles": ("tbb", "pstl", "gnu"), "exclusive": ("pstl",)}
            for peer in others.get(case, ("tbb", "pstl", "rayon")):
                self.add_ratio("scan", f"{title}: {peer} against filch, workers: 2", self.cell("scan", peer, 2, **how), mine, at_least(1))
        for workers in (1, 2):
            how = {"size": self.sizes["scan"], "repeat": 5}
            self.add_ratio("scan", f"inclusive_scan of doubles: with deterministic against without, workers: {workers}",
                           self.cell("scan", "filch", workers, case="doubles-deterministic", **how),
                           self.cell("scan", "filch", workers, case="doubles", **how), at_most(1.1))

    def add_folds(self):
        floats = {"size": self.sizes["floats"], "repeat": 5}
        for case, title in (("sum", "reduce"), ("dot", "transform_reduce"), ("square", "for_each")):
            for workers in (1, 2):
                mine = self.cell("reduce", "filch", workers, case=case, **floats)
                self.add_ratio("reduce", f"{title} of {self.sizes['floats']:,} floats: threads by hand against filch, workers: {workers}",
                               self.cell("reduce", "threads", workers, case=case, **floats), mine, at_least(0.95))
                for peer in ("tbb", "pstl", "gnu", "rayon"):
                    self.add_ratio("reduce", f"{title}: {peer} against filch, workers: {workers}",
                                   self.cell("reduce", peer, workers, case=case, **floats), mine, at_least(1))
            self.add_ratio("reduce", f"{title}: serial against filch, workers: 1", self.cell("reduce", "serial", case=case, **floats),
                           self.cell("reduce", "filch", case=case, **floats), lost_below=1)
        for workers in (1, 2):
            self.add_ratio("reduce", f"reduce: with deterministic against without, workers: {workers}",
                           self.cell("reduce", "filch", workers, case="sum-deterministic", **floats),
                           self.cell("reduce", "filch", workers, case="sum", **floats), at_most(1.1))

    def add_searches(self):
        for case in ("front", "tenth", "end"):
            how = {"size": self.sizes["floats"], "case": case, "repeat": 5}
            for workers in (1, 2):
                mine = self.cell("find", "filch", workers, **how)
                self.add("find", f"find, match at the {case}, workers: {workers}", (mine,), lambda s: s * 1e6, "us")
                for peer in ("serial", "pstl", "gnu", "rayon"):
                    self.add_ratio("find", f"find, match at the {case}: {peer} against filch, workers: {workers}",
                                   self.cell("find", peer, 1 if peer == "serial" else workers, **how), mine, lost_below=1)

    def add_against_async(self, what, workers, problem, bar, peers=("tokio", "go"), **more):
        """The time of the others over ours."""
        for peer in peers:
            name = {"tokio": "Tokio", "go": "Go", "asio": "Asio's callbacks"}[peer]
            limit = None if peer == "asio" else bar
            self.add_ratio(problem, f"{what}: {name} against filch, workers: {workers}", self.cell(problem, peer, workers, **more),
                           self.cell(problem, "filch", workers, **more), limit, lost_below=None if limit else 1)

    def add_tasks(self):
        """What a spawned task costs, and what one that waits takes."""
        size = self.sizes["tasks"]
        for case, title, unit_title, limit in (("batch", "a batch of 10,000 spawned and awaited", "a task", 60), ("chain", "a chain of tasks, each of which spawns the next", "a task", 30),
                                               ("yield", "two tasks that yield to each other", "a yield", 25)):
            more = {"case": case, "size": size, "repeat": 5}
            for workers in (1, 2):
                self.add("spawn", f"{title}: {unit_title}, workers: {workers}", (self.cell("spawn", "filch", workers, **more),), lambda s: s / size * 1e9, "ns", at_most(limit))
                self.add_against_async(title, workers, "spawn", at_least(1) if case == "batch" else None, **more)
        for peer, name in (("filch", "filch"), ("tokio", "Tokio"), ("go", "Go")):
            self.add("suspended", f"memory of each of {size:,} suspended tasks, its frame included: {name}", (self.cell("suspended", peer, 2, size=size),), lambda value: value, "bytes",
                     metric="bytes_a_task")

    def add_sleeps(self):
        more = {"size": self.sizes["sleeps"], "repeat": 5}
        title = f"{more['size']:,} sleeps of 10 ms at a time"
        for workers in (1, 2):
            for peer, prefix, bar in (("filch", "", at_most(2)), ("tokio", "Tokio: ", None), ("go", "Go: ", None), ("asio", "Asio: ", None)):
                self.add("sleeps", f"{prefix}{title}: the latest, workers: {workers}", (self.cell("sleeps", peer, workers, **more),), lambda us: us / 1e3, "ms late", bar, "latest_us")
            self.add_against_async(title, workers, "sleeps", at_least(1), ("go",), **more)
            self.add_against_async(title, workers, "sleeps", None, ("tokio", "asio"), **more)

    def add_sockets(self):
        for connections in (1, 16, 64):
            more = {"case": str(connections), "size": self.sizes["echoes"], "repeat": 3}
            for workers in (1, 2):
                title, in_all = f"echo of 64 bytes, connections: {connections}", more["size"] * more["repeat"]
                self.add_against_async(title, workers, "echo", at_least(1), ("tokio", "go", "asio"), **more)
                for peer, name in (("filch", "filch"), ("tokio", "Tokio"), ("go", "Go"), ("asio", "Asio")):
                    self.add("echo", f"{title}: processor time of {name} a message, workers: {workers}", (self.cell("echo", peer, workers, **more),), lambda s, in_all=in_all: s / in_all * 1e6,
                             "us", metric="cpu_seconds")
        for connections in (1, 16, 64):
            more = {"case": str(connections), "size": self.sizes["load_seconds"]}
            title = f"an HTTP hello by wrk, connections: {connections}"
            for workers in (1, 2):
                self.add_against_async(title, workers, "http", at_least(1), ("tokio", "go", "asio"), **more)
                for peer, name in (("filch", "filch"), ("tokio", "Tokio"), ("go", "Go"), ("asio", "Asio")):
                    self.add("http", f"{title}: processor time of {name} a request, workers: {workers}", (self.cell("http", peer, workers, **more),), lambda value: value, "us",
                             metric="cpu_us_a_request")

    def add_queries(self):
        """A server whose handler computes."""
        more = {"repeat": 3}
        for workers in (1, 2):
            title = "3,200 queries over 32 connections"
            self.add_against_async(title, workers, "queries", None, ("asio",), **more)
            for peer, name in (("filch", "filch"), ("asio", "Asio")):
                self.add("queries", f"{title}: 99 of 100, {name}, workers: {workers}",
                         (self.cell("queries", peer, workers, **more),), lambda value: value, "us", metric="p99_us")

    def add_senders(self):
        """What P2300 asks of a pool, beside a pool of locks and condition variables."""
        for case in ("starts", "bulk", "hops", "round_trip"):
            for name in (case, f"beside-{case}"):
                more = {"case": name, "repeat": 5}
                self.add_ratio("senders", f"senders, {name}: a static thread pool against filch, workers: 2",
                               self.cell("senders", "mutex", 2, **more), self.cell("senders", "filch", 2, **more), at_least(1))

    def add_primitives(self):
        """What suspends, beside the same of Tokio and Go."""
        for problem, case, size, title, unit_title in (
                ("channel", "4", self.sizes["values"], "a channel of 1,024, 4 senders and 4 receivers", "a value"),
                ("channel", "1", self.sizes["values"], "a channel of 1,024, 4 senders and one receiver", "a value"),
                ("async_mutex", "short", self.sizes["turns"], "a mutex of 64 tasks", "a turn"),
                ("async_mutex", "held", self.sizes["turns"], "a mutex of 64 tasks, held while others run", "a turn")):
            more = {"case": case, "size": size, "repeat": 5}
            for workers in (1, 2):
                mine = self.cell(problem, "filch", workers, **more)
                self.add(problem, f"{title}: {unit_title}, workers: {workers}", (mine,), lambda s, size=size: s / size * 1e9, "ns",
                         None if case == "held" else at_most(40))
                self.add_against_async(title, workers, problem, at_least(1), **more)

    def add_mixed(self):
        how = {"size": self.sizes["mixed_seconds"]}
        for metric, title, unit, bar in (("timer_p50_us", "a timer of 1 kHz, median", "us", None), ("timer_p99_us", "a timer of 1 kHz, 99 of 100", "us", at_most(1000)),
                                         ("echo_p50_us", "an echo, median", "us", None), ("echo_p99_us", "an echo, 99 of 100", "us", at_most(1000)),
                                         ("loop_lost_percent", "the loop is slower by", "%", None),
                                         ("loop_lost_beyond_percent", "the loop is slower, beyond what they use, by", "%", at_most(5))):
            for peer, prefix, limit in (("filch", "", bar), ("tokio", "Tokio and Rayon: ", None)):
                self.add("mixed", f"{prefix}beside a loop that wants both workers: {title}", (self.cell("mixed", peer, 2, **how),), lambda value: value, unit, limit, metric)

    def add_graphs(self):
        """Task graphs: what a node costs, a factorization by tiles, and the order of ready nodes."""
        for case, size in (("chain", 10**5), ("tree", 2**17), ("random", 10**5), ("wavefront", 512**2)):
            for suffix, what, bars in (("", "empty nodes", True), ("-counting", "nodes with a number of their own", False)):
                how, title = {"case": case + suffix, "size": size, "repeat": 5}, f"graph of {size:,} {what} ({case}), run again"
                for workers in (1, 2):
                    mine = self.cell("task_graph", "filch", workers, **how)
                    self.add("task_graph", f"{title}: a node, workers: {workers}", (mine,), lambda s, size=size: s / size * 1e9, "ns", at_most(60) if bars and workers == 1 else None)
                    for peer, name, bar in (("tbb", "oneTBB's flow graph", at_least(1) if bars else None), ("omp", "OpenMP's depend", None)):
                        self.add_ratio("task_graph", f"{title}: {name} against filch, workers: {workers}", self.cell("task_graph", peer, workers, **how), mine,
                                       bar, lost_below=None if bar else 1)
        n = self.sizes["matrix"]
        one, two = (self.cell("cholesky", "filch", workers, case="graph", size=n) for workers in (1, 2))
        title = f"Cholesky by tiles, {n} x {n}, a task graph: "
        self.add_ratio("cholesky", title + "one worker against two", one, two, at_least(1.9))
        self.add_ratio("cholesky", title + "one worker against serial", one, self.cell("cholesky", "serial", size=n))
        for workers, mine in ((1, one), (2, two)):
            self.add_ratio("cholesky", f"{title}OpenMP's depend against filch, workers: {workers}", self.cell("cholesky", "omp", workers, size=n), mine, at_least(0.98))
        order = self.cell("graph_order", "filch", 2, size=self.sizes["order_rounds"])
        for key, workers in (("", "2"), ("simulated_2_", "2, simulated"), ("simulated_8_", "8, simulated"), ("simulated_32_", "32, simulated")):
            for metric, limit in (("mean", 1), ("worst", 1.02)):
                self.add("graph_order", f"20 graphs, critical path first against order of arrival: {metric}, workers: {workers}", (order,), lambda value: value, "x", at_most(limit),
                         f"{key}{metric}_ratio")

    def add_survey(self):
        """Everything else that the grid holds, without a bar: filch against serial at one worker, oneTBB against filch."""
        for problem in ("uts", "nqueens", "integrate", "quicksort", "mergesort", "matmul", "fft", "mandelbrot", "sum", "loop"):
            more = {"uts": {"case": "T1"}, "nqueens": {"size": self.sizes["queens_pair"]},
                    "integrate": {"size": self.sizes["integrate"]}, "loop": {"size": self.sizes["loop"], "repeat": 5}}.get(problem, {})
            self.add_ratio(problem, f"{problem}: one worker against serial", self.cell(problem, "filch", 1, **more),
                           self.cell(problem, "serial", 1, **more))
            for workers in (1, 2):
                self.add_ratio(problem, f"{problem}: oneTBB against filch, workers: {workers}",
                               self.cell(problem, "tbb", workers, **more), self.cell(problem, "filch", workers, **more),
                               lost_below=1)
        self.add_ratio("duplicates", "duplicates of /usr/share/doc: serial against two workers", self.cell("duplicates", "serial"),
                       self.cell("duplicates", "filch", 2), lost_below=1)
