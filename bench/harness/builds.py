"""Build trees: one for each C++ compiler, one for each other language. Everything at -O2, nothing tuned to this machine.

All functions begin at a cache line, in every contender and its peers: where a linker happens to put a recursion of a few dozen
instructions moved its time by 20 % here, and so did every change of the code before it (Mytkowicz et al., ASPLOS 2009).
"""

import re
import shutil
from pathlib import Path

from harness import languages
from harness.languages import BENCH, ROOT, run

WHY_ABSENT = {
    "tbb": "oneTBB was not found (libtbb-dev)",
    "omp": "the compiler has no OpenMP (libgomp or libomp-dev of its version)",
    "asio": "standalone Asio was not found (libasio-dev)",
    "fiber": "Boost.Fiber was not found (libboost-fiber-dev)",
    "pstl": "oneTBB, which libstdc++'s parallel algorithms stand on, was not found (libtbb-dev)",
    "gnu": "parallel mode is gcc's, with its OpenMP",
    "rayon": "Rayon or cargo was not found (librust-rayon-dev, cargo)",
    "crossbeam": "crossbeam-deque or cargo was not found (librust-crossbeam-deque-dev, cargo)",
    "tokio": "Tokio or cargo was not found (librust-tokio-dev, cargo)",
    "go": "there is no Go (golang-go)",
}


SHARED = re.compile(r"set\(bench_problems_of_(halves|functions) ([^)]*)\)")


def source_of(problem, peer):
    """The source of a C++ contender, below bench/."""
    shared = SHARED.findall((BENCH / "CMakeLists.txt").read_text(encoding="utf-8"))
    folders = [folder for folder, problems in shared if problem in problems.split() and (BENCH / folder / f"{peer}.cpp").exists()]
    return BENCH / (folders[0] if folders else problem) / f"{peer}.cpp"


class Builds:
    """The build trees below one folder, of all problems or of some."""

    def __init__(self, folder, problems=None):
        self.folder = Path(folder).resolve()
        self.problems = problems

    def tree_of(self, compiler):
        short = {"g++-12": "gcc", "clang++-19": "clang"}.get(compiler, Path(compiler).name)
        return self.folder / f"bench-{short}"

    def build_cpp(self, compiler, jobs, definitions=()):
        """Configures and builds the contenders with `compiler`; returns what CMake says about absent peers.

        No debug information: valgrind 3.19 cannot read that of clang 19.
        """
        if shutil.which(compiler) is None:
            raise LookupError(f"there is no {compiler}")
        options = {"CMAKE_CXX_COMPILER": compiler, "CMAKE_BUILD_TYPE": "Release", "CMAKE_CXX_FLAGS_RELEASE": " ".join(["-O2 -DNDEBUG -falign-functions=64", *(f"-D{each}" for each in definitions)]),
                   "BUILD_TESTING": "OFF", "FILCH_BUILD_TOOLS": "OFF", "FILCH_BUILD_EXAMPLES": "OFF",
                   "FILCH_BUILD_BENCH": "ON", "FILCH_INSTALL": "OFF", "FILCH_UNITY": "OFF"}
        tree = self.tree_of(compiler)
        fresh = not (tree / "CMakeCache.txt").exists()
        generator = ["-G", "Ninja"] if fresh and shutil.which("ninja") else []
        said = run(["cmake", "-S", ROOT, "-B", tree, *generator, *(f"-D{name}={value}" for name, value in options.items())])
        targets = [f"contenders_{problem}" for problem in self.problems or ()] or ["contenders"]
        run(["cmake", "--build", tree, "--target", *targets, "--parallel", jobs])
        return [line.removeprefix("-- bench: ") for line in said.splitlines() if line.startswith("-- bench:")]

    def build_others(self):
        """Builds the contenders that are not C++; returns a line for each peer that is not there."""
        return languages.build_all(self.folder, self.problems)

    def find_program(self, cell):
        """The program of a cell; raises LookupError with the reason if it was not built."""
        if cell.peer in languages.TOOL_OF:
            program = languages.program(self.folder, cell.problem, cell.peer)
        else:
            program = self.tree_of(cell.compiler) / "contenders" / f"bench_{cell.problem}_{cell.peer}"
        if not program.exists():
            raise LookupError(WHY_ABSENT.get(cell.peer, f"{program.name} was not built"))
        return program
