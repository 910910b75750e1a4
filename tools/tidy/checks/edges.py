"""Every named edge orders something on two sides, and a model check dies without it or a `NO_WITNESS` says why none can."""

import re
from collections import defaultdict
from dataclasses import dataclass, field

ENUM = re.compile(r"\benum\s+class\s+(edge|\w+_edge)\b[^{;]*\{([^}]*)\}")
ENUMERATOR = re.compile(r"(?:^|,)\s*([a-z_]\w*)", re.M)
MENTION = r"(?P<qualifier>(?:\w+::)*)(?P<enum>edge|\w+_edge)::(?P<name>\w+)"
USE = re.compile(r"\b(?P<side>\w+)\s*<\s*" + MENTION)
WITNESS = re.compile(r"\bWITNESS(?:_BY_\w+)?\s*\(\s*" + MENTION + r"\s*,\s*\"\s*[^\s\"]")
NO_WITNESS = re.compile(r"\bNO_WITNESS\s*\(\s*" + MENTION + r"\s*,\s*\"?\s*[^\s\")]")
GIVES = {"release", "acq_rel", "seq_cst", "light_fence", "heavy_fence", "fence"}
TAKES = {"acquire", "acq_rel", "seq_cst", "light_fence", "heavy_fence", "fence"}
NOT_A_USE = {"weaken", "is_weakened"}


@dataclass
class Edge:
    room: str
    name: str  # with its enum: `edge::publish`
    path: str
    line: int
    uses: list = field(default_factory=list)
    witnesses: list = field(default_factory=list)
    excuses: list = field(default_factory=list)


class Edges:
    def __init__(self, tree):
        self.of_name = defaultdict(list)
        for file in tree.cpp_files:
            if file.pure.stem.endswith("edges"):
                for enum in ENUM.finditer(file.code):
                    for enumerator in ENUMERATOR.finditer(enum[2]):
                        name = f"{enum[1]}::{enumerator[1]}"
                        line = file.line_of(enum.start(2) + enumerator.start(1))
                        self.of_name[name].append(Edge(file.room, name, file.path, line))

    def all(self):
        return [edge for edges in self.of_name.values() for edge in edges]

    def meant(self, file, mention):
        """The edge that a mention in `file` means: of the room named there, of the file's room, or the only one so called."""
        candidates = self.of_name.get(f"{mention['enum']}::{mention['name']}", [])
        rooms = [*reversed(mention["qualifier"].split("::")), file.room]
        named = [edge for room in rooms for edge in candidates if edge.room == room]
        return named[0] if named else candidates[0] if len(candidates) == 1 else None


def check(tree, report):
    edges = Edges(tree)
    for file in tree.cpp_files:
        if "edge::" in file.text:
            collect(file, edges)
    for edge in edges.all():
        judge_sides(edge, report)
        if edge.path.startswith("filch/"):  # the rivals in compare/ are measured, not proved
            judge_witness(edge, report)
    proved = [edge for edge in edges.all() if edge.path.startswith("filch/")]
    witnessed = sum(bool(edge.witnesses) for edge in proved)
    excused = sum(bool(edge.excuses) for edge in proved)
    report.note(f"{len(proved)} named in filch/, {witnessed} witnessed, {excused} without a witness by excuse")


def collect(file, edges):
    def into(mentions, list_name, label):
        for mention in mentions:
            if edge := edges.meant(file, mention):
                getattr(edge, list_name).append(label(mention))

    if not file.is_test:
        into((use for use in USE.finditer(file.code) if use["side"] not in NOT_A_USE), "uses", lambda use: use["side"])
    if file.pure.stem.endswith("_model"):
        into(WITNESS.finditer(file.lexed.uncommented), "witnesses", lambda _: file.path)
    into(NO_WITNESS.finditer(file.text), "excuses", lambda _: file.path)


def judge_sides(edge, report):
    def find(message, instead):
        report.find(edge.path, edge.line, f"`{edge.room}::{edge.name}` {message}", instead)

    uses = set(edge.uses)
    foreign = bool(uses - GIVES - TAKES)  # handed to something of the room's own, whose sides this script cannot know
    if not uses:
        find("is named but orders nothing.", "use it on both of its sides, or delete it.")
    elif edge.uses == ["acq_rel"]:
        return  # a read-modify-write that pairs with itself in another thread, as the last of several to count down
    elif len(edge.uses) < 2:
        find(f"is used once, as `{edge.uses[0]}`; an order needs two sides.", "name the other side with the same edge.")
    elif foreign:
        return
    elif "light_fence" in uses and "heavy_fence" not in uses:
        find("has a light half and no heavy one, which orders nothing.", "put `heavy_fence` on the side that pays.")
    elif not uses & GIVES or not uses & TAKES:
        side, other = ("releases", "acquires") if uses & GIVES else ("acquires", "releases")
        find(f"only {side}; nobody {other}.", "name the other side with the same edge.")


def judge_witness(edge, report):
    if edge.witnesses and edge.excuses:
        report.find(edge.path, edge.line,
                    f"`{edge.room}::{edge.name}` has a witness in {edge.witnesses[0]} and an excuse for having none.",
                    f"delete the NO_WITNESS in {edge.excuses[0]}.")
    elif not edge.witnesses and not edge.excuses:
        report.find(edge.path, edge.line, f"no test dies without `{edge.room}::{edge.name}`.",
                    f'write WITNESS({edge.name}, "the claim that fails") in a *_model.cpp, '
                    f'or NO_WITNESS({edge.name}, "why none can").')
