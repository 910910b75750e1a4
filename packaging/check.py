#!/usr/bin/env python3
"""Checks the recipes of packages as far as this machine can read them: their syntax, their version, and whether the options and packages
that they name exist. It builds nothing."""

import argparse
import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

ISSUE_FIELDS = {"markdown", "input", "textarea", "dropdown", "checkboxes"}
INSTRUCTIONS = {"FROM", "COPY", "RUN", "WORKDIR", "USER", "ENTRYPOINT", "CMD", "ENV", "ARG", "LABEL"}


class Check:
    def __init__(self, root, cmake):
        self.root, self.cmake = root, cmake
        self.packaging = root / "packaging"
        self.findings, self.skipped = [], []
        text = self.read("filch/base/version.hpp")
        self.version = re.search(r'#define FILCH_VERSION "(.*)"', text)[1]
        self.series = ".".join(self.version.split(".")[:2])

    def read(self, place):
        return (self.root / place).read_text(encoding="utf-8")

    def find(self, path, message):
        self.findings.append(f"{Path(path).relative_to(self.root)}: {message}")

    def accepted_by(self, program, *arguments, path):
        """Whether a program of this machine takes the file; if the machine has no such program, a note says so."""
        if shutil.which(program) is None:
            self.skipped.append(f"{Path(path).relative_to(self.root)}: no {Path(program).name} here")
            return
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            self.find(path, (done.stderr or done.stdout).strip())

    def versions(self):
        held = {
            "debian/changelog": (r"\Afilch \((.+)-[^-]+\) ", self.version),
            "debian/control": (r"^Package: libfilch([0-9.]+)$", self.series),
            "vcpkg/vcpkg.json": (r'"version": "(.+)"', self.version),
            "homebrew/filch.rb": (r'^  url ".*/filch-([0-9.]+)\.tar\.gz"$', self.version),
        }
        for place, (pattern, wanted) in held.items():
            path = self.packaging / place
            match = re.search(pattern, path.read_text(encoding="utf-8"), re.M)
            if not match:
                self.find(path, f"no version stands there as `{pattern}` has it")
            elif match[1] != wanted:
                self.find(path, f"version {match[1]}, but filch/base/version.hpp has {wanted}")
        library = self.packaging / f"debian/libfilch{self.series}.install"
        if not library.exists():
            self.find(library, "does not exist; the package of the shared library is named for its version")

    def options(self):
        """An option of CMake that no CMake file declares is taken in silence, and does nothing."""
        declared = set()
        for path in [self.root / "CMakeLists.txt", *self.root.glob("cmake/*.cmake"), *self.root.glob("filch/*/CMakeLists.txt")]:
            declared |= set(re.findall(r"^\s*(?:option|set)\((FILCH_\w+) ", path.read_text(encoding="utf-8"), re.M))
        recipes = ["debian/rules", "vcpkg/portfile.cmake", "conan/conanfile.py", "nix/package.nix", "homebrew/filch.rb", "Containerfile"]
        for path in (self.packaging / place for place in recipes):
            named = set(re.findall(r"\bFILCH_(?:BUILD|USE)_\w+", path.read_text(encoding="utf-8")))
            named |= set(re.findall(r"-D(FILCH_\w+)", path.read_text(encoding="utf-8")))
            for option in sorted(named - declared):
                self.find(path, f"{option} is no option of the build")

    def debian(self):
        control = self.packaging / "debian/control"
        text = control.read_text(encoding="utf-8")
        field = re.search(r"^Build-Depends:((?:.*\n)(?:[ \t].*\n)*)", text, re.M)[1]
        depends = set(re.findall(r"[a-z0-9][a-z0-9.+-]+(?=\s*[,(\n])", re.sub(r"\([^)]*\)", "(", field)))
        wanted = {line for line in self.read("scripts/packages/run.txt").splitlines() if not line.startswith("#")}
        for package in sorted(wanted - depends):
            self.find(control, f"Build-Depends lacks {package}, which scripts/packages/run.txt has")
        packages = re.findall(r"^Package: (\S+)", text, re.M)
        for path in sorted((self.packaging / "debian").glob("*.install")):
            if path.stem not in packages:
                self.find(path, "debian/control has no such package")
        for path in sorted((self.packaging / "debian/tests").iterdir()):
            if path.name != "control":
                self.accepted_by("sh", "-n", path, path=path)
        listed = re.findall(r"^Tests: (.*)", (self.packaging / "debian/tests/control").read_text(encoding="utf-8"), re.M)
        for name in ", ".join(listed).split(", "):
            if not (self.packaging / "debian/tests" / name).exists():
                self.find(self.packaging / "debian/tests/control", f"there is no test {name}")

    def syntax(self):
        for path in sorted(self.packaging.rglob("*.py")):
            self.parsed(path, lambda text: ast.parse(text))
        for path in sorted(self.packaging.rglob("*.json")):
            self.parsed(path, json.loads)
        for path in sorted(self.packaging.rglob("*.rb")):
            self.accepted_by("ruby", "-c", path, path=path)
        for path in sorted(self.packaging.rglob("*.nix")):
            self.accepted_by("nix-instantiate", "--parse", path, path=path)
        for path in [*self.packaging.glob("*.sh")]:
            self.accepted_by("bash", "-n", path, path=path)
        for path in sorted(self.packaging.rglob("*.cmake")):
            with tempfile.NamedTemporaryFile("w", suffix=".cmake") as script:  # read as a whole, run as far as the first line
                script.write("return()\n" + path.read_text(encoding="utf-8"))
                script.flush()
                self.accepted_by(self.cmake, "-P", script.name, path=path)

    def parsed(self, path, parse):
        try:
            parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError) as problem:
            self.find(path, str(problem))

    def container(self):
        path = self.packaging / "Containerfile"
        text = re.sub(r"\\\n", " ", path.read_text(encoding="utf-8"))
        for line in filter(None, text.splitlines()):
            word = line.split()[0]
            if not line.startswith("#") and word not in INSTRUCTIONS:
                self.find(path, f"`{word}` is no instruction")
            if word == "COPY" and "--from=" not in line:
                for source in line.split()[1:-1]:
                    if not (self.root / source).exists():
                        self.find(path, f"there is no {source} to copy")

    def issue_forms(self):
        folder = self.root / ".github/ISSUE_TEMPLATE"
        try:
            import yaml
        except ImportError:
            self.skipped.append(f"{folder.relative_to(self.root)}: no PyYAML here")
            return
        for path in sorted(folder.glob("*.yml")):
            try:
                form = yaml.safe_load(path.read_text(encoding="utf-8"))
            except yaml.YAMLError as problem:
                self.find(path, str(problem))
                continue
            if path.name != "config.yml":
                self.issue_form(path, form)

    def issue_form(self, path, form):
        for key in sorted({"name", "description", "body"} - set(form)):
            self.find(path, f"a form needs `{key}`")
        named = []
        for field in form.get("body", ()):
            if field.get("type") not in ISSUE_FIELDS:
                self.find(path, f"`{field.get('type')}` is no type of a field")
            elif field["type"] == "markdown":
                continue
            elif "id" not in field or "label" not in field.get("attributes", {}):
                self.find(path, f"a field needs `id` and `label`: {field}")
            named.append(field.get("id"))
        for twice in sorted({each for each in named if each and named.count(each) > 1}):
            self.find(path, f"two fields are called {twice}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog="Exit code: 0 clean, 1 findings.")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1], help="the tree to check")
    parser.add_argument("--cmake", default="cmake", help="the cmake that reads the portfile")
    chosen = parser.parse_args()
    check = Check(chosen.root.resolve(), chosen.cmake)
    for part in (check.versions, check.options, check.debian, check.syntax, check.container, check.issue_forms):
        part()
    for note in check.skipped:
        print(f"not checked: {note}")
    for finding in check.findings:
        print(finding)
    print(f"packaging: {len(check.findings)} findings")
    return 1 if check.findings else 0


if __name__ == "__main__":
    sys.exit(main())
