"""Builds the contenders in languages other than C++, each with its own tools and nothing from a network."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
CRATES = Path("/usr/share/cargo/registry")

# Which tool builds a peer that is not C++, and stands where another cell has its compiler.
TOOL_OF = {"rayon": "rustc", "tokio": "rustc", "crossbeam": "rustc", "go": "go", "java": "javac", "erlang": "erlc"}

# The crate of a peer in Rust, where it is not called as the peer.
CRATE_OF = {"crossbeam": "crossbeam-deque"}

# The option by which a compiler is told where to.
COMPILED_INTO = {"javac": "-d", "erlc": "-o"}

JAVA_SCRIPT = """#!/bin/sh
exec java -cp '{folder}' {module} "$@"
"""

# Erlang is told before it starts how many schedulers there are; the rest is for the program.
ERLANG_SCRIPT = """#!/bin/sh
workers=1 before=
for word; do
  [ "$before" = --workers ] && workers=$word
  before=$word
done
exec erl -noshell +S "$workers" -pa '{folder}' -s {module} main -extra "$@"
"""


class BuildFailed(SystemExit):
    """A build command ended badly; its output is the message."""


def run(command, **more):
    """Runs a build command; shows its output only where it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise BuildFailed(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}failed with status {done.returncode}")
    return done.stdout


def need(tools, package):
    for tool in tools:
        if shutil.which(tool) is None:
            raise LookupError(f"there is no {tool} ({package})")


def problems_with(pattern, problems=None):
    """(problem, path) for each source of a peer, by a pattern below the problem's folder; of all problems, or of some."""
    found = [(path.relative_to(BENCH).parts[0], path) for path in sorted(BENCH.glob(f"*/{pattern}"))]
    return [(problem, path) for problem, path in found if problem != "harness" and (problems is None or problem in problems)]


def plain_name(name):
    """A name as languages that write words in one agree on it."""
    return name.replace("_", "").lower()


def write_script(path, text):
    path.write_text(text, encoding="ascii")
    path.chmod(0o755)


def build_crates(peer, target, flags="-C llvm-args=--align-all-functions=6", more=(), profile=("--release",), problems=None):
    """All contenders of a peer in Rust, from Debian's crates."""
    crate = CRATE_OF.get(peer, peer)
    if shutil.which("cargo") is None or not any(CRATES.glob(f"{crate}-[0-9]*")):
        raise LookupError(f"{crate} or cargo was not found (librust-{crate}-dev, cargo)")
    for _, manifest in problems_with(f"{peer}/Cargo.toml", problems):
        run(["cargo", "build", *profile, "--offline", *more], cwd=manifest.parent,
            env={**os.environ, "CARGO_TARGET_DIR": str(target), "RUSTFLAGS": flags})


def build_go(target, problems=None):
    need(["go"], "golang-go")
    for problem, source in problems_with("go/main.go", problems):
        run(["go", "build", "-o", target / f"bench_{problem}_go", "."], cwd=source.parent,
            env={**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "CGO_ENABLED": "0"})


def build_for_machine(target, peer, compiler, ending, script):
    """A language with a virtual machine: one folder of compiled modules, and for each problem a script that starts the machine.

    A problem's program is what is called as the problem is; what lies beside it are its parts.
    """
    target.mkdir(parents=True, exist_ok=True)
    sources = problems_with(f"{peer}/*.{ending}")
    run([compiler, COMPILED_INTO[compiler], target, *sorted((BENCH / "harness" / peer).glob(f"*.{ending}")), *(path for _, path in sources)])
    for problem, path in sources:
        if plain_name(path.stem) == plain_name(problem):
            write_script(target / f"bench_{problem}_{peer}", script.format(folder=target, module=path.stem))


def build_java(target):
    need(["java", "javac"], "default-jdk-headless")
    build_for_machine(target, "java", "javac", "java", JAVA_SCRIPT)


def build_erlang(target):
    need(["erl", "erlc"], "erlang-base")
    build_for_machine(target, "erlang", "erlc", "erl", ERLANG_SCRIPT)
    if subprocess.run(["erl", "-noshell", "-eval", "halt(case code:which(crypto) of non_existing -> 1; _ -> 0 end)."], check=False).returncode != 0:
        (target / "bench_uts_erlang").unlink()  # its hash


def build_each(builds):
    """Calls each function of (peer, function); returns a line for each peer that is not there, or does not compile."""
    notes = []
    for peer, build in builds:
        try:
            build()
        except LookupError as missing:
            notes.append(f"{peer}: {missing.args[0]}")
        except BuildFailed as failed:
            notes.append(f"{peer} was not built: {failed}")
    return notes


def build_all(folder, problems=None):
    """Builds every peer that there is, for all problems or some; returns a line for each that there is not."""
    return build_each((("rayon", lambda: build_crates("rayon", folder / "bench-rust", problems=problems)),
                       ("tokio", lambda: build_crates("tokio", folder / "bench-rust", problems=problems)),
                       ("crossbeam", lambda: build_crates("crossbeam", folder / "bench-rust", problems=problems)),
                       ("go", lambda: build_go(folder / "bench-go", problems)),
                       ("java", lambda: build_java(folder / "bench-java")),
                       ("erlang", lambda: build_erlang(folder / "bench-erlang"))))


def program(folder, problem, peer):
    """Where the program of a peer in another language lies when it was built."""
    below = {"rustc": "bench-rust/release", "go": "bench-go", "javac": "bench-java", "erlc": "bench-erlang"}[TOOL_OF[peer]]
    return folder / below / f"bench_{problem}_{peer}"
