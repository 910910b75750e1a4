"""Where and with what the figures were made."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path


def first_line(*command):
    """What a command says first, or nothing if it is not there."""
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    return lines[0].strip() if done.returncode == 0 and lines else None


def processor():
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return re.sub(r"\(R\)|\(TM\)", "", found.group(1)).strip() if found else platform.machine()


def usable_cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def distribution():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()


def package_version(name):
    return first_line("dpkg-query", "--show", "--showformat=${Version}", name)


PACKAGES = {"Boost.Fiber": "libboost-fiber1.74-dev", "Tokio": "librust-tokio-dev", "Go": "golang-go"}


def commit(root):
    """The commit, with a plus if the working tree differs from it."""
    head = first_line("git", "-C", str(root), "rev-parse", "--short", "HEAD")
    changed = first_line("git", "-C", str(root), "status", "--porcelain")
    return f"{head}+" if head and changed else head


def facts(compilers, root):
    return {
        "processor": processor(), "cores": usable_cores(), "kernel": platform.release(), "system": distribution(),
        "compilers": {name: first_line(name, "--version") for name in compilers}, "rustc": first_line("rustc", "--version"),
        "oneTBB": package_version("libtbb-dev"), "Rayon": package_version("librust-rayon-dev"), "commit": commit(root),
        "peers": {peer: found for peer, package in PACKAGES.items() if (found := package_version(package))},
    }


def name(machine):
    """A short name for file names: the processor and how many of its cores."""
    words = re.sub(r"[^a-z0-9]+", "-", machine["processor"].lower()).strip("-")
    return f"{words}-{machine['cores']}-cores"
