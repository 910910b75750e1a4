"""Mutant programs from a finished build: what the mistake reaches is compiled anew, the rest is linked as it lies there.

The build folder is only read, so mutants can be made side by side, and nothing has to be put back.
"""

import functools
import json
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

MEMBER_IN_MAP = re.compile(r"^\S+\.a\((\S+\.o)\)", re.MULTILINE)


class CannotBuild(Exception):
    """A compiler or linker refused; its words."""


@dataclass(frozen=True)
class Step:
    """One edge of the build: a command that makes `output`."""
    output: str
    source: str
    command: str


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode != 0:
        raise CannotBuild(f"{shlex.join(map(str, command))}\n{done.stdout.strip()}")
    return done.stdout


class BuildFolder:
    """A configured build folder that Ninja works in."""

    def __init__(self, root, folder):
        self.root, self.folder = Path(root).resolve(), Path(folder).resolve()
        self.made = self.folder / "mutants"
        if not (self.folder / "build.ninja").is_file():
            raise CannotBuild(f"{folder} is no build folder of Ninja's; configure one: cmake --preset gcc-12")

    def build(self, targets):
        run(["cmake", "--build", ".", "--target", *sorted(targets)], self.folder)
        self.forget()

    def forget(self):
        for cached in ("steps", "readers"):
            self.__dict__.pop(cached, None)

    @functools.cached_property
    def steps(self):
        edges = json.loads(run(["ninja", "-t", "compdb"], self.folder))
        return {edge["output"]: Step(edge["output"], edge["file"], edge["command"]) for edge in edges}

    @functools.cached_property
    def readers(self):
        """File -> the objects whose compilation read it, by what the compilers reported to Ninja."""
        readers, current = {}, None
        for line in run(["ninja", "-t", "deps"], self.folder).splitlines():
            if line.startswith("    "):
                path = os.path.normpath(self.folder / line.strip())
                readers.setdefault(path, set()).add(current)
            elif line:
                current = line.partition(": #deps")[0]
        return readers

    def link_of(self, target):
        links = [step for step in self.steps.values() if Path(step.output).name == target and " -o " in step.command]
        if len(links) != 1:
            raise CannotBuild(f"{len(links)} programs of the build are called {target}, not one")
        return links[0]

    def program(self, target):
        return self.folder / self.link_of(target).output

    def link_words(self, target):
        """The command that links, without the nothing that CMake puts before and after it."""
        parts = [part for part in self.link_of(target).command.split(" && ") if " -o " in part]
        return shlex.split(parts[0])

    @functools.cache
    def parts_of(self, target):
        """The objects of a program: its own, and those that its linker takes out of our archives."""
        words = self.link_words(target)
        own = [word for word in words if word.endswith(".o")]
        archives = {word for word in words if word.endswith(".a") and word in self.steps}
        linked, link_map = self.made / target, self.made / f"{target}.map"
        self.made.mkdir(exist_ok=True)
        words[words.index("-o") + 1] = str(linked)
        run([*words, f"-Wl,-Map={link_map}"], self.folder)
        members = set(MEMBER_IN_MAP.findall(link_map.read_text(encoding="utf-8", errors="replace")))
        linked.unlink()
        inside = [word for archive in archives for word in shlex.split(self.steps[archive].command) if word.endswith(".o")]
        return own, [word for word in inside if Path(word).name in members]

    def make(self, mutant):
        """Builds the program with the mistake and says where it is."""
        place = self.made / mutant.name
        shutil.rmtree(place, ignore_errors=True)
        mutated = place / "include" / mutant.file
        mutated.parent.mkdir(parents=True)
        mutated.write_text(mutant.mutate(mutant.text_of(self.root)), encoding="utf-8")
        own, taken = self.parts_of(mutant.target)
        reached = self.readers.get(str(self.root / mutant.file), set())
        anew = {part: str(place / part.replace("/", "_")) for part in [*own, *taken] if part in reached}
        if not anew:
            raise CannotBuild(f"{mutant.target} has nothing of {mutant.file}")
        for part, made in anew.items():
            run(self.compile_words(self.steps[part], mutant, mutated, made), self.folder)
        program = place / mutant.target
        run([*self.relink_words(mutant.target, anew, own, program), *mutant.flags], self.folder)
        return program

    def compile_words(self, step, mutant, mutated, made):
        words = [word for word in shlex.split(step.command) if word != "-MD"]
        for option in ("-MT", "-MF"):
            if option in words:
                at = words.index(option)
                del words[at:at + 2]
        words[words.index("-o") + 1] = made
        if Path(step.source) == self.root / mutant.file:
            words[words.index(step.source)] = str(mutated)
        first = next(i for i, word in enumerate(words) if word.startswith("-"))
        words.insert(first, f"-I{mutated.parents[len(Path(mutant.file).parents) - 1]}")
        return [*words, *mutant.flags, "-w"]  # a mistake may leave a name unused

    def relink_words(self, target, anew, own, program):
        """What was compiled anew comes before the archives, so their members of that name are never asked for."""
        words = [anew.get(word, word) for word in self.link_words(target)]
        words[words.index("-o") + 1] = str(program)
        first_archive = next(i for i, word in enumerate(words) if word.endswith((".a", ".so")))
        words[first_archive:first_archive] = [made for part, made in anew.items() if part not in own]
        return words

    def sweep(self, mutant):
        """Deletes what is left of a mutant that needs no look."""
        shutil.rmtree(self.made / mutant.name, ignore_errors=True)
