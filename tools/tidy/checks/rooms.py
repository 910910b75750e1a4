"""Includes go only along the arrows of rooms.txt, and a third-party header appears only where it is at home."""

import configparser
from fnmatch import fnmatch

from tree import room_of

DATA = "tools/tidy/rooms.txt"
PLAIN_LINE = {"pragma", "include"}


class Map:
    """rooms.txt, read: the arrows with everything reachable along them, and the homes of third-party headers."""

    def __init__(self, text):
        parser = configparser.ConfigParser(delimiters=(":",), strict=True, interpolation=None)
        parser.optionxform = str
        parser.read_string(text)
        self.arrows = {room: value.split() for room, value in parser["rooms"].items()}
        self.nested = [room for room in self.arrows if "/" in room]
        self.beside = parser.get("beside the code", "rooms", fallback="").split()
        self.system = parser.get("system", "folders", fallback="").split()
        third_party = parser["third party"].items() if parser.has_section("third party") else ()
        self.homes = {header: value.split() for names, value in third_party for header in names.split()}

    def reachable(self, room, path=()):
        """Everything that `room` may include; a ring of arrows raises ValueError naming it."""
        if room in path:
            raise ValueError(" -> ".join((*path[path.index(room):], room)))
        found = {room}
        for target in self.arrows[room]:
            is_walked_through = target in self.arrows and target != "doors"  # what stands behind a door stays there
            found |= self.reachable(target, (*path, room)) if is_walked_through else {target}
        return found

    def room_of(self, path):
        """The room of a file of the library or the top folder, as `tree.room_of`, or a folder of it that is a room of its own."""
        return next((room for room in self.nested if path.startswith(f"filch/{room}/")), room_of(path))

    def homes_of(self, header):
        return self.homes.get(header) or self.homes.get(header.partition("/")[0] + "/" if "/" in header else "")


def check(tree, report):
    if DATA not in tree.files:
        report.find(DATA, 1, "the map of the rooms is missing.", "write the arrows of ARCHITECTURE.md into it.")
        return
    rooms = Map(tree.files[DATA].text)
    try:
        allowed = {room: rooms.reachable(room) for room in rooms.arrows}
    except ValueError as ring:
        report.find(DATA, 1, f"the arrows go round in a ring: {ring}.", "arrows point only downward; remove one.")
        return
    for file in tree.cpp_files:
        here = rooms.room_of(file.path)
        if file.in_library and here not in rooms.arrows:
            report.find(file.path, 1, f"the room `{here}` is not in {DATA}.", "add the room there with its arrows.")
            continue
        if file.in_library and file.room == "doors":
            check_door(file, report)
        may_include = allowed.get(here, {"*"})
        if file.is_test:
            may_include = may_include.union(*(allowed.get(room, {room}) for room in rooms.beside))
        for line, header, is_quoted in file.includes:
            target = tree.resolve_include(file, header, is_quoted)
            if target or header.startswith("filch/"):
                check_arrow(file, line, target or header, may_include, rooms, report)
            else:
                check_third_party(file, line, header, rooms, report)


def check_arrow(file, line, target, may_include, rooms, report):
    room, here = rooms.room_of(target), rooms.room_of(file.path)
    if room in may_include or any(fnmatch(target, pattern) for pattern in may_include):
        return
    arrows = " ".join(rooms.arrows[here]) or "nothing"
    report.find(file.path, line, f"`{here}` includes {target} of `{room}`, but its arrows are: {arrows}.",
                "move what is shared down into a room both may include, or, for a test of several rooms, the test to tests/.")


def check_third_party(file, line, header, rooms, report):
    homes = rooms.homes_of(header)
    if homes is None:
        folder = header.partition("/")[0] if "/" in header else None
        if file.in_library and folder and folder not in rooms.system:
            report.find(file.path, line, f"<{header}> has no home in {DATA}.",
                        "do without it, or name there the one place that may include it.")
        return
    if not any(is_home(file, home) for home in homes):
        report.find(file.path, line, f"<{header}> is at home only in {', '.join(homes)}.",
                    "call what that place offers instead of the library itself.")


def is_home(file, home):
    if home == "tests":
        return file.is_test or file.room == "tests"
    return home == file.room or fnmatch(file.path, home)


def check_door(file, report):
    if file.pure.suffix != ".hpp":
        report.find(file.path, 1, "filch/ itself holds only front doors.",
                    "move the file into its room, or a test of several rooms to tests/.")
        return
    for number, line in enumerate(file.code.splitlines(), 1):
        word = line.strip().removeprefix("#").split()
        if word and not (line.lstrip().startswith("#") and word[0].partition("<")[0].partition('"')[0] in PLAIN_LINE):
            report.find(file.path, number, "a front door holds includes only.",
                        "move this line into the room it belongs to, and include that.")
            return
