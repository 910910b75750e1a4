"""Builds the contenders in languages other than C++, each with its own tools and nothing from a network."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
CRATES = Path("/usr/share/cargo/registry")

# Which tool builds a peer that is not C++, and stands where another cell has its compiler.
TOOL_OF = {"rayon": "rustc", "tokio": "rustc", "crossbeam": "rustc", "go": "go"}

# The crate of a peer in Rust, if it is not called as the peer.
CRATE_OF = {"crossbeam": "crossbeam-deque"}

# What a peer in Rust depends on.
CRATES_OF = {
    "rayon": 'rayon = "1.6"',
    "tokio": 'tokio = { version = "1.24", features = ["rt-multi-thread", "net", "io-util", "sync", "time"] }\nrayon = "1.6"',
    "crossbeam": 'crossbeam-deque = "0.8"',
}
MANIFEST = """[package]
name = "bench_{peer}"
version = "0.0.0"
edition = "2021"
rust-version = "1.63"
publish = false

[dependencies]
{crates}

[profile.release]
opt-level = 2
{programs}"""
PROGRAM = """
[[bin]]
name = "bench_{problem}_{peer}"
path = "{path}"
"""


class BuildFailed(SystemExit):
    """A build command ended badly; its output is the message."""


def run(command, **more):
    """Runs a build command; shows its output only if it fails."""
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


def write_script(path, text):
    path.write_text(text, encoding="ascii")
    path.chmod(0o755)


def build_crates(peer, target, flags="-C llvm-args=--align-all-functions=6", more=(), profile=("--release",), problems=None):
    """All contenders of a peer in Rust, as programs of one package, from Debian's crates."""
    crate = CRATE_OF.get(peer, peer)
    if shutil.which("cargo") is None or not any(CRATES.glob(f"{crate}-[0-9]*")):
        raise LookupError(f"{crate} or cargo was not found (librust-{crate}-dev, cargo)")
    programs = [PROGRAM.format(problem=problem, peer=peer, path=path)
                for problem, path in problems_with(f"{peer}.rs", problems)]
    if not programs:
        return
    package = target / f"package-{peer}"
    package.mkdir(parents=True, exist_ok=True)
    manifest = MANIFEST.format(peer=peer, crates=CRATES_OF[peer], programs="".join(programs))
    (package / "Cargo.toml").write_text(manifest, encoding="utf-8")
    run(["cargo", "build", *profile, "--offline", "--manifest-path", package / "Cargo.toml", *more], cwd=BENCH,
        env={**os.environ, "CARGO_TARGET_DIR": str(target), "RUSTFLAGS": flags})


def build_go(target, problems=None):
    need(["go"], "golang-go")
    for problem, source in problems_with("go/main.go", problems):
        run(["go", "build", "-o", target / f"bench_{problem}_go", "."], cwd=source.parent,
            env={**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "CGO_ENABLED": "0"})


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
                       ("go", lambda: build_go(folder / "bench-go", problems))))


def program(folder, problem, peer):
    """Where the program of a peer in another language lies when it was built."""
    below = {"rustc": "bench-rust/release", "go": "bench-go"}[TOOL_OF[peer]]
    return folder / below / f"bench_{problem}_{peer}"
