"""Pretty printers for what a program of filch has in its variables."""
import re

import gdb
from filch_gdb_pools import POINTER, Missing, Pool, address_of, name_of_code, read, type_named, without_version, word


def say(text_of):
    """What `text_of()` returns, or why that is not known."""
    try:
        return text_of()
    except Missing as missing:
        return f"({missing})"


class PoolPrinter:
    def __init__(self, value):
        type_named("filch::sched::scheduler")  # without it gdb prints the object as it is
        self.value = value

    def to_string(self):
        return say(lambda: Pool(address_of(self.value)).line())


class FramePrinter:
    """A `task` or a `join_handle`: its frame, and the promise in it."""

    def __init__(self, value):
        self.value = value
        self.is_handle = "join_handle" in name_of_type(value)
        self.frame = read(address_of(value["frame_"]))

    def promise(self):
        of = self.value["frame_"].type.strip_typedefs().template_argument(0).strip_typedefs()
        # A frame begins with two functions, resume and destroy
        place = -(-2 * POINTER // max(1, of.alignof)) * max(1, of.alignof)
        return gdb.Value(self.frame + place).cast(of.pointer()).dereference()

    def phase(self):
        return str(self.promise()["phase_"]).rsplit("::", 1)[-1]

    def to_string(self):
        kind = name_of_type(self.value)
        if self.frame == 0:
            return f"{kind}: empty"
        return say(lambda: f"{kind}: {self.phase()}, frame {self.frame:#x} of {self.body()}"
                           f"{self.waiter()}")

    def body(self):
        """The coroutine, by the function that destroys its frame."""
        name = name_of_code(read(self.frame + POINTER))
        name = re.sub(r" ?\[clone [^]]*\]|\.(?:destroy|actor|cleanup)\b", "", name)
        mangled = re.search(r"(_Z\w+)\.Frame\*\)", name)  # as g++ names it
        if mangled is None:
            return name
        return gdb.execute(f"demangle {mangled[1]}", to_string=True).strip() + name[mangled.end():]

    def waiter(self):
        if not self.is_handle:
            return ""
        state = word(self.promise()["done_"]["state_"])
        return "" if state == 1 else ", not awaited" if state == 0 else ", awaited"

    def children(self):
        if self.frame == 0 or say(self.phase) != "finished":
            return []
        try:
            return [("value", self.promise()["value_"])]
        except gdb.error:  # `task<void>`
            return []


class ChannelPrinter:
    def __init__(self, value):
        self.value = value
        self.values = value["values_"]

    def queues(self):
        return self.values["stock_"], self.values["queue_"]  # the stock is older

    def to_string(self):
        size = sum(int(each["size_"]) for each in self.queues())
        most = int(self.values["capacity_"])
        room = "unbounded" if most == 2 ** 64 - 1 else f"of {most}"
        closed = ", closed" if bool(self.value["is_closed_"]) else ""
        return (f"{name_of_type(self.value)}: {size} values {room}, "
                f"{int(self.value['senders_']['size_'])} senders wait, "
                f"{int(self.value['receivers_']['size_'])} receivers wait{closed}")

    def children(self):
        count = 0
        for queue in self.queues():
            for i in range(int(queue["size_"])):
                yield f"[{count}]", queue["slots_"][(int(queue["first_"]) + i) & (int(queue["room_"]) - 1)]
                count += 1

    def display_hint(self):
        return "array"


class MutexPrinter:
    def __init__(self, value):
        self.permit = value["permit_"]

    def to_string(self):
        state = "free" if word(self.permit["word_"]) >= 2 else "locked"  # bit 0: the line must be served
        waiting = int(self.permit["waiting_"]["size_"]) + (int(self.permit["returning_"]) != 0)
        return f"filch::async_mutex: {state}, {waiting} wait"


def name_of_type(value):
    return without_version(str(value.type.strip_typedefs().unqualified()))


PRINTERS = [(re.compile(pattern), printer) for pattern, printer in (
    (r"^filch::thread_pool$", PoolPrinter),
    (r"^filch::(task|join_handle)<.*>$", FramePrinter),
    (r"^filch::channel<.*>$", ChannelPrinter),
    (r"^filch::async_mutex$", MutexPrinter))]


def printer_of(value):
    if value.address is None or value.type.strip_typedefs().code != gdb.TYPE_CODE_STRUCT:
        return None
    name = name_of_type(value)
    try:
        return next((make(value) for pattern, make in PRINTERS if pattern.match(name)), None)
    except (gdb.error, Missing):
        return None
