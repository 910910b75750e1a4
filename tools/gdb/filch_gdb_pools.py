"""The pools and workers of a process that gdb looks at, from its memory and debug information."""
import re

import gdb

NO_TYPES = ("no debug information: no loaded file describes %s. Load the types of the library with "
            "`filch types FILE` (tools/gdb/README.md)")
NO_REGISTRY = ("no debug information: the symbol of the list of pools is not there. "
               "Name a pool, `filch workers POOL`")
VERSION = "v0_2"  # the inline namespace of the library; gdb finds nothing without it
REGISTRY = (f"'filch::{VERSION}::(anonymous namespace)::state()::one'",
            f"'_ZZN5filch{len(VERSION)}{VERSION}12_GLOBAL__N_15stateEvE3one'")
POINTER = 8


class Missing(Exception):
    """Debug information, or memory, is not there: the text says which."""


# --------------------------------------------------------------------------------------------------
# memory
def in_version(name):
    return name.replace("filch::", f"filch::{VERSION}::", 1)


def without_version(text):
    return text.replace(f"filch::{VERSION}::", "filch::")


def type_named(name):
    try:
        found = gdb.lookup_type(in_version(name))
    except gdb.error:
        raise Missing(NO_TYPES % name) from None
    if found.code == gdb.TYPE_CODE_STRUCT and not found.fields():
        raise Missing(NO_TYPES % name)
    return found


def at(address, name):
    """The object of the type `name` at `address`."""
    return gdb.Value(address).cast(type_named(name).pointer()).dereference()


def read(address, size=POINTER):
    try:
        return int.from_bytes(gdb.selected_inferior().read_memory(address, size), "little")
    except gdb.MemoryError:
        raise Missing(f"the memory at {address:#x} cannot be read") from None


def address_of(value):
    return int(value.address)


def word(value):
    """The bytes of an atomic, or of any other word, as a number."""
    return read(address_of(value), value.type.sizeof)


def text_at(address, most=64):
    memory = bytes(gdb.selected_inferior().read_memory(address, most))
    return memory.split(b"\0")[0].decode(errors="replace")


def enumerators(name):
    return [field.name.rsplit("::", 1)[-1] for field in type_named(name).fields()]


def name_of_code(address):
    """The function that contains `address`, a place to return to or a function's begin."""
    def found_at(pc):
        text = gdb.execute(f"info symbol {pc:#x}", to_string=True)
        return "" if text.startswith("No symbol") else re.sub(r" in section .*", "", text).strip()

    symbol = found_at(address)
    if re.search(r" \+ \d+$", symbol) or not symbol:  # not the begin of a function: a return
        address -= 1
        symbol = found_at(address)
    if not symbol:
        return f"{address:#x}"
    line = gdb.find_pc_line(address)
    where = f" ({line.symtab.filename}:{line.line})" if line.symtab and line.line else ""
    return without_version(re.sub(r" \+ \d+$", "", symbol)) + where


# --------------------------------------------------------------------------------------------------
# pools
def size_of(deque):
    return max(0, word(deque["bottom_"]) - word(deque["top_"]))


def all_pools():
    """The addresses of the pools' objects, oldest first."""
    for name in REGISTRY:
        try:
            place = int(gdb.parse_and_eval(f"(unsigned long)&{name}"))
            break
        except gdb.error:
            continue
    else:
        raise Missing(NO_REGISTRY)
    state = read(place)
    if state == 0:
        return []
    # `registry_state`: a lock of four bytes, then a vector
    begin, end = read(state + POINTER), read(state + 2 * POINTER)
    return [read(each) for each in range(begin, end, POINTER)]


def pool_named(expression):
    """The address of the pool that `expression` names: an object, a reference or a pointer."""
    value = gdb.parse_and_eval(expression)
    if value.type.code == gdb.TYPE_CODE_REF:
        value = value.referenced_value()
    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_INT):
        return int(value)
    return address_of(value)


class Pool:
    def __init__(self, address):
        self.address = address
        self.core = at(read(address), "filch::sched::scheduler")  # `thread_pool::core_`
        self.threads = self.core["threads_"]
        self.parking = self.core["parking_"]
        self.name = text_at(int(self.core["options"]["thread_name"]))
        self.number = int(self.core["number"])

    def worker_addresses(self):
        table = read(address_of(self.threads["table_"]))
        return [read(table + POINTER * i) for i in range(word(self.threads["created_"]))]

    def injected(self):
        of = self.core["injected_"]["all_"]
        queue = of.type.template_argument(0)
        return sum(word(gdb.Value(place).cast(queue.pointer()).dereference()["size_"])
                   for place in range(address_of(of), address_of(of) + of.type.sizeof, queue.sizeof))

    def ready(self):
        """How many jobs are in the ready queues of all slots, held or free."""
        slots = address_of(self.parking["slots_"])  # a std::vector
        size = type_named("filch::sched::slot").sizeof
        return sum(size_of(at(each, "filch::sched::slot")["ready"])
                   for each in range(read(slots), read(slots + POINTER), size))

    def roles(self, sleeper):
        """What a parked worker keeps watch for, as the driver."""
        names = {"poller_": "the poller", "backup_poller_": "the backup poller",
                 "timer_driver_": "the first timer", "timed_sleeper_": "private forks"}
        return [text for name, text in names.items() if read(address_of(self.parking[name])) == sleeper]

    def line(self):
        idle = word(self.parking["idle_"]["word_"])
        accepts = ("", ", refuses outsiders", ", stopped")[word(self.core["admission_"]["accepts_"])]
        return (f"pool {self.number} \"{self.name}\" at {self.address:#x}: "
                f"{int(self.threads['slot_count_'])} slots, {idle >> 16 & 0xffff} free; "
                f"{word(self.threads['thread_count_'])} threads, "
                f"{word(self.threads['created_'])} workers, {idle & 0xffff} searching; "
                f"jobs: {self.injected()} injected, {self.ready()} ready{accepts}")


# --------------------------------------------------------------------------------------------------
# workers
def threads_of_workers():
    """Which thread of gdb is which worker: by the address of the worker. Empty if unknown."""
    found = {}
    before = gdb.selected_thread()
    frame = gdb.selected_frame() if before is not None and before.is_valid() else None
    try:
        for thread in gdb.selected_inferior().threads():
            thread.switch()
            stack = thread_word("'filch::sched::current_stack'")
            found.setdefault(stack, thread.num)
            left = thread_word("'filch::sched::left_slot::innermost'")
            while left != 0:  # `left_slot`: the worker, then the outer one
                found.setdefault(read(left), thread.num)
                left = read(left + POINTER)
    except (gdb.error, Missing):
        pass
    if before is not None:
        before.switch()
        frame.select()
    return found


def thread_word(name):
    return int(gdb.parse_and_eval(f"(unsigned long){in_version(name)}"))


class Worker:
    def __init__(self, pool, address, threads):
        self.pool, self.address = pool, address
        self.me = at(address, "filch::sched::worker")
        self.waiter = self.me["waiter"]
        self.thread = threads.get(address)

    def activity(self):
        words = self.me["reports"]["counters"]["words_"]
        doing = len(enumerators("filch::event::kind")) + len(enumerators("filch::event::measure"))
        names = enumerators("filch::event::activity")
        now = read(address_of(words) + 8 * doing)
        return names[now] if now < len(names) else f"?{now}"

    def slot(self):
        held = int(self.waiter["granted"])
        if held == 0:
            return "-"
        if held == int(self.waiter["own"]):
            return "own"
        if held == int(self.pool.parking["driver_slot_"]):
            return "driver's"
        return str(int(self.waiter["granted"]["number"]))

    def ready(self):
        """How many jobs are in the ready queue of its slot."""
        held = int(self.waiter["granted"])
        if held == 0:
            return 0
        return size_of(self.waiter["granted"]["ready"])

    def forks(self):
        """The numbers of private and public forks."""
        bottom, base = word(self.me["bottom_"]), int(self.me["base_"])
        public = word(self.me["public_"])
        top, split = public >> 32, public & 0xffffffff
        size = self.me["base_"].type.target().sizeof
        depth = (bottom - base) // size if base != 0 else 0
        return max(0, depth - split), max(0, split - top)

    def waits_for(self):
        place = word(self.me["waits_at_"])
        if place != 0:
            return name_of_code(place)
        if bool(self.waiter["is_parked"]):
            return "work" + "".join(f", {each}" for each in self.pool.roles(address_of(self.waiter)))
        return ""

    def row(self):
        private, public = self.forks()
        index = f"{int(self.me['index'])}{'x' if bool(self.waiter['is_external']) else ''}"
        return [index, "-" if self.thread is None else str(self.thread), self.activity(), self.slot(),
                str(private), str(public), str(self.ready()), self.waits_for()]


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  " + "  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows)
