"""The checks, in the order in which they run. Each module has `check(tree, report)` and says in its docstring what it holds."""

from checks import edges, examples, ghosts, leftovers, links, orphans, prose, rooms, seam, sizes, version

CHECKS = {module.__name__.rpartition(".")[2]: module
          for module in (rooms, seam, edges, ghosts, links, examples, sizes, orphans, leftovers, prose, version)}
