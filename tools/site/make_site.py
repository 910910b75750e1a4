#!/usr/bin/env python3
"""Builds the documentation as a static site that opens from a folder, without a server. See README.md beside this file."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from fnmatch import fnmatch
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools/tidy"))
import markdown  # noqa: E402

GUIDE = "docs/guide/README.md"
REFERENCE = "docs/reference"  # in the site only: its pages are made from the docstrings
# Sections of the navigation, and which pages they hold: of several the first. "*" takes what other pages link to.
SECTIONS = {
    "Start": "docs/guide/README.md docs/guide/start.md docs/guide/install.md docs/guide/see.md",
    "Tutorial": "docs/guide/tutorial/*",
    "How to": "docs/guide/how/* docs/guide/server.md docs/guide/reductions.md",
    "Understand": "docs/guide/understand/*",
    "Coming from": "docs/guide/from/* docs/guide/from-*",
    "Reference": f"{REFERENCE}/* docs/guide/*",
    "Evidence": "docs/evidence*",
    "Notes": "docs/notes/*",
    "Rooms": "ARCHITECTURE.md filch/*",
    "Project": "*",
}
RENAMED = {GUIDE: "index.md", "README.md": "about.md"}  # the front page of the site is the guide's
SHOWN = {".md", ".png", ".svg", ".jpg"}
SKIPPED = 77  # for ctest
ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
ITEM = re.compile(r"([-*+]|\d+[.)])\s+(?=\S)")
SITE_ONLY = re.compile(r"<!-- site: (.*?) -->", re.S)  # its links lead to the reference
CODE = re.compile(r"`[^`]+`")
ROW = re.compile(r"\|\s*([^|\n]*[^|\s])\s*\|")
FOREIGN_STYLE = re.compile(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^\"')\s]*")


def staged_name(place):
    """Where a file lies in the site's sources. A browser shows a source file as text only if it is called so."""
    return RENAMED.get(place, place if Path(place).suffix in SHOWN else f"{place}.txt")


def page_of(root, place):
    """The file that a link to `place` opens: of a folder its README, or else a list that `stage` makes."""
    if not (root / place).is_dir():
        return place
    return f"{place}/{'README' if (root / place / 'README.md').exists() else 'index'}.md"


def link_spans(text):
    """(begin, end, target) of each link, the last one first, so that they can be replaced in turn."""
    for match in reversed(list(markdown.LINK.finditer(markdown.without_code(markdown.prose(text))))):
        group = next(name for name in ("angled", "plain", "reference") if match[name])
        yield *match.span(group), match[group]


def place_of(page, target):
    """The path from the root that a link of `page` names, and the anchor; None if it leads out of the repository."""
    path, _, anchor = unquote(target).partition("#")
    place = os.path.normpath(f"{os.path.dirname(page)}/{path}" if path else page).lstrip("/")
    return None if ADDRESS.match(target) else (place, anchor)


def with_staged_links(root, page, text):
    """The text with its links as they are in the site, and the places that these open."""
    places = []
    for begin, end, target in link_spans(text):
        if found := place_of(page, target):
            places.append(page_of(root, found[0]))
            name = os.path.relpath(staged_name(places[-1]), os.path.dirname(staged_name(page)) or ".")
            text = f"{text[:begin]}{name}{'#' + found[1] if found[1] and name.endswith('.md') else ''}{text[end:]}"
    return text, places


def for_python_markdown(text):
    """The same Markdown for a reader that wants a blank line before a list, four columns for what belongs to an item, and | in code."""
    lines, items, fence = [], [], ""
    for line in text.splitlines():
        body = line.lstrip()
        column = len(line) - len(body)
        is_behind_text = not items and lines and lines[-1]
        while items and body and column < items[-1] and not fence:
            items.pop()
        rest = line[min(items[-1] if items else 0, column):column]
        margin = " " * 4 * len(items)
        item = None if fence or len(rest) > 3 or is_behind_text and re.match(r"(?!1\.)\d", body) else ITEM.match(body)
        if item:
            lines += [""] * bool(is_behind_text)
            items.append(column + len(item[0]))
            body, rest = f"{item[1]} {body[len(item[0]):]}", ""
        if body.startswith("|") and not fence:
            body = CODE.sub(lambda code: code[0].replace("\\|", "|"), body)
        ticks = re.match(r"`{3,}|~{3,}", body)
        if ticks and (not fence or body.strip() == fence):
            fence = "" if fence else ticks[0]
        lines.append(margin + rest + body if body else "")
    return "\n".join(lines) + "\n"


def made_reference(folder):
    """The texts of the API reference by place: the index by topic, a page for each header, the index by name. None without clang."""
    done = subprocess.run([sys.executable, ROOT / "tools/reference/reference.py", folder], capture_output=True, text=True)
    if done.returncode == SKIPPED:
        print("this site has no API reference: clang++ is not installed", file=sys.stderr)
        return {}
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    index = (folder / "README.md").read_text()
    order = sorted(folder.glob("*.md"), key=lambda page: (page.name != "README.md", page.name == "names.md", index.find(f"]({page.name})")))
    return {f"{REFERENCE}/{page.name}": page.read_text() for page in order}


def stage(root, folder, reference=()):
    """Copies the pages, and what they link to, into `folder`, and writes those of the reference, texts by place. Returns all such texts."""
    patterns = ("docs/guide/**/*.md", "docs/evidence.md", "docs/notes/*.md", "ARCHITECTURE.md", "filch/**/README.md")
    pages, waiting = {}, [*reference] + [str(path.relative_to(root)) for pattern in patterns for path in sorted(root.glob(pattern))]
    while waiting:
        place = waiting.pop(0)
        source, target = root / place, folder / staged_name(place)
        is_list = place not in reference and not source.exists() and source.name == "index.md" and source.parent.is_dir()
        if target.exists() or not (place in reference or source.exists() or is_list):
            continue  # the generator tells of a link that leads nowhere
        target.parent.mkdir(parents=True, exist_ok=True)
        if not place.endswith(".md"):
            shutil.copyfile(source, target)
            continue
        if place in reference:
            text = reference[place]
        elif is_list:
            text = f"# {os.path.dirname(place)}\n\n" + "\n".join(f"- [{each.name}]({each.name})" for each in sorted(source.parent.glob("*.*")))
        else:
            text = SITE_ONLY.sub(r"\1" if reference else "", source.read_text())
        pages[place] = text
        text, places = with_staged_links(root, place, text)
        waiting += places
        target.write_text(for_python_markdown(markdown.HTML_COMMENT.sub("", text)))
    return pages


def title_of(place, text):
    title = re.search(r"^# (.+)", text, re.M)
    name = re.sub("[`<>]", "", title[1]) if title else place
    room = os.path.dirname(place.removeprefix("filch/"))
    return f"{room}: {name.partition(': ')[2]}" if place.startswith("filch/") and ": " in name else name


def groups_of(guide):
    """Each page that the guide's front page links to, in its order, and the first cell of the table's row that it stands in, or ''."""
    groups = {}
    for begin, _, target in sorted(link_spans(guide)):
        row = ROW.match(guide, guide.rfind("\n", 0, begin) + 1)
        if place := place_of(GUIDE, target):
            groups.setdefault(place[0], row[1].capitalize() if row else "")
    return groups


def navigation(pages):
    groups = groups_of(pages[GUIDE])
    order = [GUIDE, *(place for place in pages if place.startswith(REFERENCE)), *groups]
    sections = {name: {} for name in SECTIONS}
    for place in sorted(pages, key=lambda each: (order.index(each) if each in order else len(order), each)):
        section = next(name for name, patterns in SECTIONS.items() if any(fnmatch(place, each) for each in patterns.split()))
        group = groups.get(place, "") if section == "How to" else ""
        sections[section].setdefault(group, []).append({title_of(place, pages[place]): staged_name(place)})
    return [{name: [*held.pop("", []), *({group: entries} for group, entries in held.items())]}
            for name, held in sections.items() if held]


def make_search_local(site):
    """A page that was opened as a file may neither fetch the index nor start a worker from a file: both become scripts."""
    worker = next(site.glob("assets/javascripts/workers/search.*.js")).read_text()
    (site / "search/worker.js").write_text(
        "var __search = {};\n__search.index = new Promise((give) => { __search.give = give; });\n"
        f"globalThis.Worker = class extends Worker {{ constructor() {{ super(URL.createObjectURL(new Blob([{json.dumps(worker)}]"
        ', {type: "text/javascript"}))); } };\n')
    index = (site / "search/search_index.json").read_text()
    (site / "search/index.js").write_text(f"__search.give({index});\n")


class Page(HTMLParser):
    """What a built page links to, the anchors that it has, and what it takes from another host."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.foreign = [], set(), FOREIGN_STYLE.findall(text)
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        held = dict(attributes)
        self.anchors |= {held.get("id"), held.get("name")}
        for name in ("href", "src", "srcset", "data", "poster", "action"):
            target = held.get(name)
            if target and ADDRESS.match(target) and tag != "a" and not target.startswith("data:"):
                self.foreign.append(target)
            elif target and not ADDRESS.match(target):
                self.links.append(target)


def faults_of(site):
    """What is wrong with the built pages, a sentence each."""
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        yield from (f"{name} asks another host: {address}." for address in page.foreign)
        for link in page.links:
            target, _, anchor = unquote(link).partition("#")
            place = Path(os.path.normpath(path.parent / target)) if target else path
            if not place.is_file():
                yield f"{name} links to {link}, which is not there."
            elif anchor and place in pages and anchor not in pages[place].anchors:
                yield f"{name} links to {link}, but that page has no such anchor."
    for path in site.rglob("*.css"):
        yield from (f"{path.relative_to(site)} asks another host: {found}." for found in FOREIGN_STYLE.findall(path.read_text()))


def build(root, site):
    """Returns the faults of the site that it builds."""
    staging = site.parent / f"{site.name}.staged"
    shutil.rmtree(staging, ignore_errors=True)
    pages = stage(root, staging / "pages", made_reference(staging / "reference"))
    shutil.copy(HERE / "theme/site.css", staging / "pages")
    settings = {"INHERIT": str(HERE / "mkdocs.yml"), "docs_dir": str(staging / "pages"), "site_dir": str(site), "nav": navigation(pages)}
    (staging / "mkdocs.yml").write_text(json.dumps(settings | {"theme": {"custom_dir": str(HERE / "theme")}}))
    command = ["mkdocs", "build", "--config-file", staging / "mkdocs.yml"]
    built = subprocess.run(command, capture_output=True, text=True)
    said = re.sub(r"\x1b\[\d*m", "", built.stderr)
    if built.returncode != 0:
        return re.findall(r"(?:WARNING|ERROR) .*", said) or [said]
    make_search_local(site)
    for pattern in ("404.html", "sitemap*", "search/*.json", "**/*.map", "**/lunr/**/*.js"):  # for servers and other languages
        for path in list(site.glob(pattern)):
            path.unlink()
    return list(faults_of(site))


def main():
    parser = argparse.ArgumentParser(prog="./run site", description="Builds the documentation as a site that a browser opens from its folder, "
                                     "without a server. Fails on a dead link or anchor, and on a page that asks another host.")
    parser.add_argument("--zip", metavar="FILE", type=Path, help="also write the site into this archive")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=ROOT / "build/site", help="where to build it, in place of build/site")
    options = parser.parse_args()
    if not shutil.which("mkdocs"):
        print("skipped: no mkdocs here; scripts/packages/site.txt lists what it needs", file=sys.stderr)
        return SKIPPED
    site = options.out.resolve()
    faults = build(ROOT, site)
    if faults:
        return "\n".join(faults)
    if options.zip:
        with zipfile.ZipFile(options.zip, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(site.rglob("*")):
                archive.write(path, f"filch-documentation/{path.relative_to(site)}")
    print(site / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
