"""gdb: shows the pools, the workers and the objects of filch, in a process or in a core file.

`source tools/gdb/filch_gdb.py`, then `filch pools`, `filch workers [POOL]`, `filch types FILE`, and
`print` of a pool, task, join handle, channel or mutex. README.md says what it needs. It reads
memory and debug information only: no code of the process runs.
"""
import pathlib
import sys

import gdb

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import filch_gdb_objects
from filch_gdb_pools import Missing, Pool, Worker, all_pools, pool_named, table, threads_of_workers


class Filch(gdb.Command):
    """The pools and workers of filch: `filch pools`, `filch workers [POOL]`, `filch types FILE`."""

    def __init__(self):
        super().__init__("filch", gdb.COMMAND_STATUS, prefix=True)


class Say(gdb.Command):
    """A command that prints a text. What is missing is a line of it, not an error."""

    def invoke(self, argument, _from_tty):
        try:
            self.tell(argument.strip())
        except Missing as missing:
            print(missing)
        except gdb.error as wrong:
            print(f"filch: {wrong}")


class Pools(Say):
    """filch pools: one line for each pool of the process."""

    def __init__(self):
        super().__init__("filch pools", gdb.COMMAND_STATUS)

    def tell(self, _argument):
        pools = all_pools()
        for address in pools:
            print(Pool(address).line())
        if not pools:
            print("no pool")


class Workers(Say):
    """filch workers [POOL]: every worker of one pool, or of all. POOL is an expression.

`x` after an index: the worker of an external thread. Slot `own`: overcommitted; `driver's`: the
driver's overcommit slot. `ready` counts the jobs in the ready queue of the slot."""

    def __init__(self):
        super().__init__("filch workers", gdb.COMMAND_STATUS, gdb.COMPLETE_EXPRESSION)

    def tell(self, argument):
        pools = [pool_named(argument)] if argument else all_pools()
        threads = threads_of_workers()
        for address in pools:
            pool = Pool(address)
            print(pool.line())
            rows = [["worker", "thread", "activity", "slot", "private", "public", "ready", "waits for"]]
            rows += [Worker(pool, each, threads).row() for each in pool.worker_addresses()]
            print(table(rows) if len(rows) > 1 else "  no worker yet")
        if not pools:
            print("no pool")


class Types(Say):
    """filch types FILE: loads the object that was made of types.cpp, for a library without types."""

    def __init__(self):
        super().__init__("filch types", gdb.COMMAND_FILES, gdb.COMPLETE_FILENAME)

    def tell(self, argument):
        confirm = gdb.parameter("confirm")
        gdb.execute("set confirm off")
        try:
            gdb.execute(f"add-symbol-file {argument}", to_string=True)
        finally:
            gdb.execute(f"set confirm {'on' if confirm else 'off'}")


def begin():
    for command in (Filch, Pools, Workers, Types):
        command()
    filch_gdb_objects.printer_of.name = "filch"
    gdb.pretty_printers[:] = [each for each in gdb.pretty_printers if getattr(each, "name", "") != "filch"]
    gdb.pretty_printers.append(filch_gdb_objects.printer_of)


begin()
