"""Build trees: one for each C++ compiler, one for Rust. Everything at -O2, nothing tuned to this machine.

All functions begin at a cache line, in every contender and its peers: where a linker happens to put a recursion of a few dozen
instructions moved its time by 20 % here, and so did every change of the code before it (Mytkowicz et al., ASPLOS 2009).
"""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUST_CRATES = Path("/usr/share/cargo/registry")

WHY_ABSENT = {
    "tbb": "oneTBB was not found (libtbb-dev)",
    "omp": "the compiler has no OpenMP (libgomp or libomp-dev of its version)",
    "pstl": "oneTBB, which libstdc++'s parallel algorithms stand on, was not found (libtbb-dev)",
    "gnu": "parallel mode is gcc's, with its OpenMP",
    "rayon": "Rayon or cargo was not found (librust-rayon-dev, cargo)",
}


def run(command, **more):
    """Runs a build command; shows its output only where it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}failed with status {done.returncode}")
    return done.stdout


class Builds:
    """The build trees below one folder."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()

    def tree_of(self, compiler):
        short = {"g++-12": "gcc", "clang++-19": "clang"}.get(compiler, Path(compiler).name)
        return self.folder / f"bench-{short}"

    def build_cpp(self, compiler, jobs):
        """Configures and builds all contenders with `compiler`; returns what CMake says about absent peers.

        No debug information: valgrind 3.19 cannot read that of clang 19.
        """
        if shutil.which(compiler) is None:
            raise LookupError(f"there is no {compiler}")
        options = {"CMAKE_CXX_COMPILER": compiler, "CMAKE_BUILD_TYPE": "Release", "CMAKE_CXX_FLAGS_RELEASE": "-O2 -DNDEBUG -falign-functions=64",
                   "FILCH_BUILD_TESTS": "OFF", "FILCH_BUILD_TOOLS": "OFF", "FILCH_BUILD_EXAMPLES": "OFF",
                   "FILCH_BUILD_BENCH": "ON", "FILCH_INSTALL": "OFF"}
        tree = self.tree_of(compiler)
        fresh = not (tree / "CMakeCache.txt").exists()
        generator = ["-G", "Ninja"] if fresh and shutil.which("ninja") else []
        said = run(["cmake", "-S", ROOT, "-B", tree, *generator, *(f"-D{name}={value}" for name, value in options.items())])
        run(["cmake", "--build", tree, "--target", "contenders", "--parallel", jobs])
        return [line.removeprefix("-- bench: ") for line in said.splitlines() if line.startswith("-- bench:")]

    def build_rust(self):
        """Builds the Rayon contenders from Debian's crates, without a network."""
        if shutil.which("cargo") is None or not any(RUST_CRATES.glob("rayon-*")):
            raise LookupError(WHY_ABSENT["rayon"])
        for manifest in sorted((ROOT / "bench").glob("*/rayon/Cargo.toml")):
            run(["cargo", "build", "--release", "--offline"], cwd=manifest.parent,
                env={**os.environ, "CARGO_TARGET_DIR": str(self.folder / "bench-rayon"),
                     "RUSTFLAGS": "-C llvm-args=--align-all-functions=6"})

    def find_program(self, cell):
        """The program of a cell; raises LookupError with the reason where it was not built."""
        rust = cell.compiler == "rustc"
        folder = self.folder / "bench-rayon" / "release" if rust else self.tree_of(cell.compiler) / "contenders"
        program = folder / f"bench_{cell.problem}_{cell.peer}"
        if not program.exists():
            raise LookupError(WHY_ABSENT.get(cell.peer, f"{program.name} was not built"))
        return program
