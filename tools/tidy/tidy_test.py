#!/usr/bin/env python3
"""Every check has a small tree that must trigger it and one that must not."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import cpp  # noqa: E402
import markdown  # noqa: E402
import tidy  # noqa: E402
from tree import Tree  # noqa: E402

ROOMS = """
[rooms]
base:
queue: base
policy: base
sched: queue policy
doors: sched
compare: doors policy filch/queue/deque.hpp
tools: *
tests: *
[beside the code]
rooms: testing
[third party]
hwloc.h hwloc/: filch/topo/hwloc.cpp
CLI/: tools
gtest/: tests
[system]
folders: sys linux
"""


def report_of(check, files):
    return tidy.run_checks(Tree(files), (check,))


def found(check, files):
    return [f"{finding.path}:{finding.line}: {finding.message}" for finding in report_of(check, files).findings]


class CheckTest(unittest.TestCase):
    check = ""
    always = {}

    def assert_found(self, files, *parts):
        """Exactly one finding, and it says all of `parts`."""
        findings = found(self.check, self.always | files)
        self.assertEqual(len(findings), 1, findings)
        for part in parts:
            self.assertIn(part, findings[0])

    def assert_clean(self, files):
        self.assertEqual(found(self.check, self.always | files), [])


class Rooms(CheckTest):
    check = "rooms"
    always = {"tools/tidy/rooms.txt": ROOMS}

    def test_an_include_against_the_arrows_is_found(self):
        self.assert_found({"filch/queue/deque.hpp": "#pragma once\n#include <filch/sched/pool/pool.hpp>\n",
                           "filch/sched/pool/pool.hpp": ""},
                          "filch/queue/deque.hpp:2", "filch/sched/pool/pool.hpp")

    def test_an_include_sideways_is_found_when_quoted_too(self):
        self.assert_found({"filch/queue/deque.hpp": '#include "../policy/idle.hpp"\n', "filch/policy/idle.hpp": ""}, "`policy`")

    def test_arrows_reach_all_the_way_down(self):
        self.assert_clean({"filch/sched/pool/pool.cpp": "#include <vector>\n#include <filch/base/sync.hpp>\n"
                                                   "#include <filch/queue/deque.hpp>\n",
                           "filch/base/sync.hpp": "", "filch/queue/deque.hpp": ""})

    def test_an_include_in_a_comment_or_string_is_none(self):
        include = "#include <filch/sched/pool/pool.hpp>\n"
        self.assert_clean({"filch/base/a.hpp": f'// {include}/*\n{include}*/ auto s = R"(\n{include})";\n'})

    def test_a_room_that_the_map_does_not_know_is_found(self):
        self.assert_found({"filch/attic/a.hpp": ""}, "`attic` is not in")

    def test_a_ring_of_arrows_is_found(self):
        self.always = {"tools/tidy/rooms.txt": "[rooms]\nbase: queue\nqueue: base\n[third party]\n"}
        self.assert_found({}, "base -> queue -> base")

    def test_one_header_can_be_allowed_without_its_room(self):
        header = {"filch/queue/deque.hpp": "", "filch/queue/injector.hpp": ""}
        self.assert_clean(header | {"compare/a.cpp": "#include <filch/queue/deque.hpp>\n"})
        self.assert_found(header | {"compare/a.cpp": "#include <filch/queue/injector.hpp>\n"}, "injector")

    def test_a_third_party_header_away_from_home_is_found(self):
        self.assert_found({"filch/sched/pool/pool.cpp": "#include <CLI/CLI.hpp>\n"}, "at home only in tools")
        self.assert_found({"filch/queue/deque.hpp": "#include <gtest/gtest.h>\n"}, "at home only in tests")
        self.assert_found({"filch/base/a.hpp": "#include <quill/log.hpp>\n"}, "has no home")

    def test_a_third_party_header_at_home_is_fine(self):
        self.assert_clean({"tools/cli/main.cpp": "#include <CLI/CLI.hpp>\n",
                           "filch/queue/deque_test.cpp": "#include <gtest/gtest.h>\n",
                           "filch/base/futex.cpp": "#include <linux/futex.h>\n#include <unistd.h>\n#include <experimental>\n"})

    def test_a_front_door_with_code_is_found(self):
        self.assert_found({"filch/fork.hpp": "#pragma once\n// why\n#include <filch/sched/a.hpp>\nint x;\n"},
                          "filch/fork.hpp:4")

    def test_a_source_among_the_front_doors_is_found(self):
        self.assert_found({"filch/fork_test.cpp": ""}, "only front doors")

    def test_a_missing_map_is_found(self):
        self.always = {}
        self.assert_found({"filch/base/a.hpp": ""}, "map of the rooms is missing")

    def test_a_front_door_of_includes_is_fine(self):
        self.assert_clean({"filch/fork.hpp": "#pragma once\n/// Forks.\n#include <filch/sched/a.hpp>\n",
                           "filch/sched/a.hpp": ""})

    def test_tests_beside_the_code_may_use_the_testing_room(self):
        header = {"filch/testing/explorer.hpp": "", "tools/tidy/rooms.txt": ROOMS.replace("base:", "base:\ntesting: base", 1)}
        self.assert_clean(header | {"filch/queue/deque_model.cpp": "#include <filch/testing/explorer.hpp>\n"})
        self.assert_found(header | {"filch/queue/deque.hpp": "#include <filch/testing/explorer.hpp>\n"}, "`testing`")


class Seam(CheckTest):
    check = "seam"

    def test_an_atomic_outside_base_is_found(self):
        self.assert_found({"filch/queue/deque.hpp": "#include <atomic>\n"}, "<atomic> belongs to filch/base")
        self.assert_found({"filch/queue/deque.hpp": "std::atomic<int> x;\n"}, "`std::atomic`")

    def test_a_clock_outside_base_is_found(self):
        self.assert_found({"filch/sched/a.cpp": "auto t = std::chrono::steady_clock::now();\n"}, "steady_clock")
        self.assert_found({"filch/sched/a.cpp": "clock_gettime(CLOCK_MONOTONIC, &t);\n"}, "clock_gettime")

    def test_an_unnamed_order_is_found(self):
        for path in ("filch/queue/a.hpp", "filch/base/futex.cpp"):
            self.assert_found({path: "x.load(std::memory_order_acquire);\n"}, "memory_order_acquire")
        self.assert_clean({"filch/base/order.hpp": "inline constexpr auto relaxed = std::memory_order_relaxed;\n"})

    def test_base_tests_and_neighbours_are_free(self):
        text = "#include <atomic>\n#include <thread>\nstd::atomic<int> x; int y = x.load();\n"
        self.assert_clean({"filch/base/sync.hpp": text})
        text = text.replace("load()", "load(std::memory_order_acquire)")
        self.assert_clean({path: text for path in ("filch/base/a_test.cpp", "filch/queue/deque_stress.cpp", "compare/a.cpp",
                                                   "bench/fib/a.cpp", "tools/a.cpp", "tests/a.cpp", "examples/a.cpp")})

    def test_names_in_comments_and_durations_are_fine(self):
        self.assert_clean({"filch/co/timer.hpp": "// not std::mutex, not steady_clock\nvoid wait(std::chrono::milliseconds);\n"
                                                 "void order(std::memory_order o); my_atomic a; retry();\n"})

    def test_a_standalone_fence_is_found_outside_base_and_bench(self):
        fence = "std::atomic_thread_fence(o);\n"
        self.assert_found({"compare/a.cpp": fence}, "standalone fence")
        self.assert_clean({"filch/base/membarrier.hpp": fence, "bench/peer/a.cpp": fence, "filch/testing/model/a.hpp": fence})

    def test_a_muted_sanitizer_is_found(self):
        self.assert_found({"tests/tsan.supp": "race:x\n"}, "suppression file")
        self.assert_found({"cmake/lsan_suppressions.txt": ""}, "suppression file")
        self.assert_found({"filch/base/a.cpp": '[[gnu::no_sanitize("thread")]] void f();\n'}, "no_sanitize")
        self.assert_found({"CMakeLists.txt": "add_compile_options(-fsanitize-ignorelist=x)\n"}, "ignorelist")

    def test_a_strict_sanitizer_is_fine(self):
        self.assert_clean({"CMakeLists.txt": "# no -fsanitize-ignorelist\n"
                                             "add_compile_options(-fsanitize=thread -fno-sanitize-recover=all)\n"})


class Edges(CheckTest):
    check = "edges"
    enum = "namespace filch::queue {\nenum class edge {\n  /// a, b | c\n  publish,\n};\n}\n"
    use = "b.store(1, release<edge::publish>); b.load(base::acquire<queue::edge::publish>);\n"
    witness = 'WITNESS(edge::publish, "a stolen job is seen filled", f);\n'

    def tree(self, **changes):
        files = {"edges.hpp": self.enum, "deque.hpp": self.use, "deque_model.cpp": self.witness}
        files |= {name.replace("__", "."): text for name, text in changes.items()}
        return {f"filch/queue/{name}": text for name, text in files.items()}

    def test_two_sides_and_a_witness_are_fine(self):
        self.assert_clean(self.tree())

    def test_an_edge_without_a_use_is_found(self):
        self.assert_found(self.tree(deque__hpp="x.store(1, relaxed); weaken<edge::publish>();\n"), "filch/queue/edges.hpp:4",
                          "orders nothing")

    def test_an_edge_with_one_side_is_found(self):
        self.assert_found(self.tree(deque__hpp="b.store(1, release<edge::publish>);\n"), "used once, as `release`")
        self.assert_found(self.tree(deque__hpp="release<edge::publish>; release<edge::publish>;\n"), "only releases")
        self.assert_found(self.tree(deque__hpp="acquire<edge::publish>; acquire<edge::publish>;\n"), "only acquires")

    def test_a_countdown_that_pairs_with_itself_is_fine(self):
        self.assert_clean(self.tree(deque__hpp="left.fetch_sub(1, acq_rel<edge::publish>);\n"))

    def test_uses_in_tests_and_comments_do_not_count(self):
        self.assert_found(self.tree(deque__hpp="// " + self.use, deque_test__cpp=self.use), "orders nothing")

    def test_a_light_fence_alone_is_found(self):
        self.assert_found(self.tree(deque__hpp="Sync::template light_fence<edge::publish>(); seq_cst<edge::publish>;\n"),
                          "no heavy one")
        self.assert_clean(self.tree(deque__hpp="Sync::template light_fence<edge::publish>(); heavy_fence<edge::publish>();\n"))

    def test_an_edge_without_witness_is_found(self):
        self.assert_found(self.tree(deque_model__cpp=""), "no test dies without `queue::edge::publish`")
        self.assert_found(self.tree(deque_model__cpp="// " + self.witness), "no test dies")
        self.assert_found(self.tree(deque_model__cpp="", deque_test__cpp=self.witness), "no test dies")

    def test_a_witness_by_one_checker_is_one(self):
        self.assert_clean(self.tree(deque_model__cpp=self.witness.replace("WITNESS(", "WITNESS_BY_EXPLORER(")))

    def test_an_excused_edge_is_fine_and_counted(self):
        files = self.tree(deque_model__cpp='NO_WITNESS(edge::publish, "needs a weak-memory explorer");\n')
        self.assert_clean(files)
        self.assertEqual(report_of("edges", files).notes,
                         ["edges: 1 named in filch/, 0 witnessed, 1 without a witness by excuse"])

    def test_an_excuse_without_reason_excuses_nothing(self):
        self.assert_found(self.tree(deque_model__cpp='NO_WITNESS(edge::publish, "")\n'), "no test dies")

    def test_a_witnessed_edge_needs_no_excuse(self):
        self.assert_found(self.tree(deque_model__cpp=self.witness + 'NO_WITNESS(edge::publish, "x")\n'),
                          "an excuse for having none")

    def test_edges_of_the_same_name_in_two_rooms_are_told_apart(self):
        other = {f"filch/sched/{path.rpartition('/')[2]}": text for path, text in self.tree().items()}
        other["filch/sched/deque.hpp"] = "release<edge::publish>; acquire<queue::edge::publish>;\n"
        self.assert_found(self.tree() | other, "`sched::edge::publish` is used once")

    def test_a_second_enum_of_edges_is_judged_too(self):
        self.assert_found(self.tree(fork_edges__hpp="enum class fork_edge { force };\n",
                                    fork__hpp="light_fence<fork_edge::force>(); heavy_fence<fork_edge::force>();\n"),
                                    "`queue::fork_edge::force`")


class Ghosts(CheckTest):
    check = "ghosts"
    always = {"tools/tidy/foreign.txt": "membarrier rayon:: # others' names\n",
              "filch/base/a.hpp": 'int raise_split(int /*count*/); auto v = "FILCH_WORKERS";\n'}

    def test_a_name_that_is_gone_is_found_in_a_comment(self):
        self.assert_found({"filch/queue/b.hpp": "\n// See `lower_split`, which\n"}, "filch/queue/b.hpp:2", "`lower_split`")

    def test_a_function_that_is_gone_is_found_without_back_ticks(self):
        self.assert_found({"filch/queue/b.hpp": "/* Not after lower_split(). */\n"}, "`lower_split`")

    def test_a_name_that_is_gone_is_found_in_a_readme(self):
        self.assert_found({"filch/queue/README.md": "# Queue\n\nThe owner calls `lower_split(1)`.\n"}, "README.md:3")

    def test_a_file_that_is_gone_is_found(self):
        self.assert_found({"README.md": "See `queue/gone.hpp`.\n"}, "`queue/gone.hpp`")

    def test_the_closest_name_is_told(self):
        self.assert_found({"README.md": "`raise_splits`\n"}, "closest name is `raise_split`")

    def test_existing_and_foreign_names_are_fine(self):
        self.assert_clean({"filch/queue/b.hpp": "// `raise_split`, raise_split(), `std::atomic<int>`, `membarrier`\n"
                                                "// `rayon::join`, `count`\n"
                                                "// `base/a.hpp`, `FILCH_WORKERS=2`, `S_P <= P * S_1`, `T1`\n"})

    def test_commands_patterns_and_placeholders_are_fine(self):
        self.assert_clean({"README.md": "`./x --no-such_option`, `*_test.cpp`, `raise_split(<count_here>)`,\n`https://a.b/c_d`, "
                                        "`rayon#592`, `1f2e3d4c5b`\n"})

    def test_plain_words_beside_short_spans_are_no_names(self):
        self.assert_clean({"filch/queue/b.hpp": "/// What `f` throws; `raise_split` after that is a call.\nint f;\n"})

    def test_a_span_over_two_comment_lines_is_one(self):
        self.assert_clean({"filch/queue/b.hpp": "// before `raise_split(\n//   1)` and after it `raise_split` stays\n"})

    def test_fences_and_histories_are_not_looked_at(self):
        self.assert_clean({"README.md": "```\n`gone_name`\n```\n", "docs/notes/001-a.md": "`gone_name`\n",
                           "CHANGELOG.md": "`gone_name`\n",
                           "filch/queue/README.md": "## Why not\n`gone_name`\n### more\n`gone_name`\n"
                                                   "## Tolerated\n`raise_split`\n"})

    def test_a_section_after_a_history_is_looked_at_again(self):
        self.assert_found({"README.md": "## Why not\n`gone_one`\n## Tolerated\n`gone_two`\n"}, "gone_two")


class Sizes(CheckTest):
    check = "sizes"

    @staticmethod
    def function(lines, head="int f(int x) "):
        return head + "{\n" + "  x = 1;\n" * (lines - 2) + "}\n"

    def test_a_long_function_is_found(self):
        self.assert_found({"filch/a.cpp": "namespace n {\n" + self.function(71) + "}\n"}, "filch/a.cpp:2",
                          "a.cpp:f has 71 lines")
        self.assert_found({"tools/a.py": "def f():\n" + "    x = 1\n" * 70}, "tools/a.py:1", "71 lines")

    def test_a_long_file_is_found(self):
        self.assert_found({"filch/a.hpp": "int x;\n" * 801}, "801 lines")

    def test_what_fits_is_fine(self):
        self.assert_clean({"filch/a.cpp": self.function(60), "filch/b.hpp": "int x;\n" * 400, "docs/long.md": "x\n" * 900})

    def test_a_long_class_or_namespace_of_short_functions_is_fine(self):
        self.assert_clean({"filch/a.hpp": "struct s {\n" + self.function(40) + self.function(40) + "};\n"})

    def test_what_is_listed_may_stay_but_not_grow(self):
        self.always = {"tools/tidy/sizes.txt": "filch/a.cpp:f 80\n"}
        self.assert_clean({"filch/a.cpp": self.function(80)})
        self.assert_found({"filch/a.cpp": self.function(81)}, "grew from 80 to 81")

    def test_a_line_of_the_list_that_is_no_longer_needed_is_found(self):
        self.assert_found({"tools/tidy/sizes.txt": "# why\nfilch/a.cpp:f 80\n", "filch/a.cpp": self.function(60)},
                          "sizes.txt:2")

    def test_a_line_of_the_list_that_says_nothing_is_found(self):
        self.assert_found({"tools/tidy/sizes.txt": "filch/a.cpp\n"}, "cannot read")


class Links(CheckTest):
    check = "links"
    always = {"docs/guide.md": "# First steps\n\n## `join` & more\n"}

    def test_a_link_to_nothing_is_found(self):
        self.assert_found({"README.md": "\n[a](docs/gone.md)\n"}, "README.md:2", "docs/gone.md")
        self.assert_found({"README.md": "[a]\n\n[a]: docs/gone.md\n"}, "README.md:3")

    def test_a_link_out_of_the_project_is_found(self):
        self.assert_found({"README.md": "[a](../other/README.md)\n"}, "leaves the project")

    def test_an_anchor_to_nothing_is_found(self):
        self.assert_found({"README.md": "[a](docs/guide.md#last-steps)\n"}, "#last-steps")
        self.assert_found({"README.md": "# A\n[a](#b)\n"}, "#b")

    def test_an_example_line_to_nothing_is_found(self):
        self.assert_found({"filch/a.hpp": "/// Example: examples/gone.cpp\n"}, "examples/gone.cpp")

    def test_links_that_lead_somewhere_are_fine(self):
        self.assert_clean({"filch/README.md": "[a](../docs/guide.md#first-steps) [b](https://x.org/y) [c](../docs)\n"
                                              "[d](../docs/guide.md#join--more)\n",
                           "filch/a.hpp": "/// Example: docs/guide.md\n"})

    def test_links_in_code_are_none(self):
        self.assert_clean({"README.md": "`[a](gone.md)`\n```\n[a](gone.md)\n```\n"})


class Examples(CheckTest):
    check = "examples"
    always = {"examples/sum.cpp": "int main() {\n  // [sum]\n  f();\n  // [sum]\n}\n"}

    def test_cpp_without_a_marker_is_found(self):
        self.assert_found({"README.md": "\n```cpp\nf();\n```\n"}, "README.md:2", "not compiled")

    def test_an_example_that_differs_from_its_source_is_found(self):
        self.assert_found({"README.md": "<!-- example: examples/sum.cpp#sum -->\n```cpp\ng();\n```\n"}, "no longer")

    def test_a_marker_to_nothing_is_found(self):
        self.assert_found({"README.md": "<!-- example: examples/sum.cpp#gone -->\n```cpp\nf();\n```\n"}, "does not exist")

    def test_a_copied_example_and_other_languages_are_fine(self):
        self.assert_clean({"README.md": "<!-- example: examples/sum.cpp#sum -->\n```cpp\nf();\n```\n\n```sh\n./run\n```\n"})

    def test_fix_copies_it_anew(self):
        before = "<!-- example: examples/sum.cpp#sum -->\n```cpp\ng();\n```\nx\n"
        files = self.always | {"README.md": before}
        self.assertEqual(dict(tidy.CHECKS["examples"].fixed(Tree(files))), {"README.md": before.replace("g()", "f()")})


class Orphans(CheckTest):
    check = "orphans"
    always = {"filch/queue/CMakeLists.txt": "target_sources(filch PRIVATE injector.cpp)\nfilch_model(deque_model)\n"
                                            "file(GLOB x *_test.cpp)\n"}

    def test_a_file_that_is_not_built_is_found(self):
        self.assert_found({"filch/queue/forgotten.cpp": ""}, "forgotten.cpp:1", "builds")

    def test_a_file_named_in_a_comment_is_not_built(self):
        self.assert_found({"filch/sched/a.cpp": "", "filch/sched/CMakeLists.txt": "# a.cpp\n"}, "builds")

    def test_files_built_by_name_stem_or_pattern_are_fine(self):
        self.assert_clean({"filch/queue/injector.cpp": "", "filch/queue/deque_model.cpp": "", "filch/queue/x_test.cpp": ""})

    def test_a_header_without_a_test_is_found(self):
        self.assert_found({"filch/queue/deque.hpp": ""}, "no test reaches")

    def test_a_header_reached_through_another_is_fine(self):
        self.assert_clean({"filch/queue/deque.hpp": '#include "ring.hpp"\n', "filch/queue/ring.hpp": "",
                           "filch/queue/x_test.cpp": "#include <filch/queue/deque.hpp>\n"})

    def test_a_header_behind_the_source_of_a_tested_one_is_fine(self):
        self.assert_clean({"filch/queue/injector.hpp": "", "filch/queue/injector.cpp": '#include "ring.hpp"\n',
                           "filch/queue/ring.hpp": "",
                           "filch/queue/x_test.cpp": "#include <filch/queue/injector.hpp>\n"})

    def test_a_name_declared_and_never_used_is_found(self):
        header = "namespace filch {{\n{}\n}}\n"
        for declaration in ("int lonely(int x);", "inline int lonely() { return 1; }", "struct lonely {};",
                            "inline constexpr int lonely = 1;",
                            "template <class T> T lonely(T x) { return x; }", "using lonely = int;",
                            "enum class lonely { a };"):
            with self.subTest(declaration):
                self.assert_found({"filch/queue/d.hpp": header.format(declaration),
                                   "filch/queue/d_test.cpp": '#include "d.hpp"\n',
                                   "filch/queue/CMakeLists.txt": "d_test.cpp"}, "`lonely`", "d.hpp:2")

    def test_a_name_used_by_a_test_is_fine(self):
        self.assert_clean({"filch/queue/x.hpp": "int lonely(int x);\n",
                           "filch/queue/x_test.cpp": '#include "x.hpp"\nint y = lonely(1);\n'})

    def test_names_that_others_call_are_fine(self):
        self.assert_clean({"tools/tidy/foreign.txt": "await_ready\n", "filch/queue/x_test.cpp": '#include "x.hpp"\nx y;\n',
                           "filch/queue/x.hpp": "class x {\n public:\n  x(int);\n  ~x();\n  bool await_ready() { return 1; }\n"
                                                "  x& operator=(const x&) = delete;\n  explicit operator bool() const;\n};\n"})


class Leftovers(CheckTest):
    check = "leftovers"

    def test_unfinished_work_is_found(self):
        self.assert_found({"filch/a.hpp": "// FIXME: later\n"}, "FIXME")
        self.assert_found({"filch/a.hpp": "int x;  // TODO later\n"}, "TODO")
        self.assert_found({"cmake/a.cmake": "# TODO later\n"}, "TODO")

    def test_work_with_an_issue_is_fine(self):
        self.assert_clean({"filch/a.hpp": '// TODO(#12): shrink\nauto s = "FIXME";\n'})

    def test_code_switched_off_is_found(self):
        self.assert_found({"filch/a.hpp": "#if 0\nint x;\n#endif\n"}, "`#if 0`")

    def test_code_in_a_comment_is_found(self):
        for code in ("return x;", "x.store(1, y);", "auto y = f(x);", "if (x) y();", "for (;;) {", "#include <vector>",
                     "} else {"):
            with self.subTest(code):
                self.assert_found({"filch/a.cpp": f"void f() {{\n  // {code}\n}}\n"}, "a.cpp:2")

    def test_prose_and_examples_are_fine(self):
        self.assert_clean({"filch/a.hpp": "// The owner returns at once; the thief (if any) waits;\n"
                                          "// if (unlikely) nobody sees it, the job is lost\n/// return x;\n"
                                          "// Use it so:\n//   f(x);\nint x;  // = 1;\n// return to it\n// rayon#592\n"})

    def test_a_print_from_the_library_is_found(self):
        self.assert_found({"filch/sched/a.cpp": "std::cerr << x;\n"}, "std::cerr")
        self.assert_found({"filch/sched/a.cpp": 'std::fprintf(stderr, "x");\n'}, "fprintf")

    def test_prints_of_programs_and_panics_are_fine(self):
        text = 'std::fprintf(stderr, "x"); std::cout << 1;\n'
        self.assert_clean({"tools/cli/a.cpp": text, "filch/base/panic.cpp": text, "filch/sched/a_test.cpp": text,
                           "filch/sched/a.cpp": "std::snprintf(b, 1, c); out.puts(x);\n"})

    def test_a_conflict_mark_is_found(self):
        self.assert_found({"README.md": "<" * 7 + " HEAD\n"}, "merge conflict")

    def test_a_debugger_in_a_script_is_found(self):
        self.assert_found({"tools/a.py": "breakpoint()\n"}, "breakpoint")
        self.assert_found({"tools/viewer/a.ts": "console.log(1)\n"}, "console.log")


class Excuses(unittest.TestCase):
    def test_an_excuse_covers_its_line_or_the_next_and_is_counted(self):
        for text in ("#include <atomic>  // tidy: seam public type\n", "// tidy: seam public type\n#include <atomic>\n"):
            report = report_of("seam", {"filch/co/a.hpp": text})
            self.assertEqual((report.findings, report.excuse_count), ([], 1))

    def test_an_excuse_covers_no_other_check_nor_line(self):
        self.assertEqual(len(found("seam", {"filch/co/a.hpp": "#include <atomic>  // tidy: rooms x\n"})), 1)
        self.assertEqual(len(found("seam", {"filch/co/a.hpp": "int x;  // tidy: seam x\n#include <atomic>\n"})), 2)

    def test_an_excuse_needs_a_reason_a_check_and_a_use(self):
        self.assertIn("without a reason", found("seam", {"filch/co/a.hpp": "#include <atomic>  // tidy: seam\n"})[0])
        self.assertIn("no check called", found("seam", {"filch/co/a.hpp": "// tidy: seems fine\n"})[0])
        self.assertIn("excuses nothing", found("seam", {"filch/co/a.hpp": "int x;  // tidy: seam no longer\n"})[0])

    def test_an_excuse_of_a_check_that_did_not_run_is_not_judged(self):
        self.assertEqual(found("rooms", {"tools/tidy/rooms.txt": ROOMS, "tools/a.hpp": "int x;  // tidy: seam fine\n"}), [])


class Lexing(unittest.TestCase):
    def test_comments_and_strings_are_told_from_code(self):
        text = 'a = 1\'000; // x "\nb = "//"; /* c\n */ d = \'"\'; e = R"x(" // )x"; f = u8"\\"";\n'
        lexed = cpp.lex(text)
        self.assertEqual(len(lexed.code), len(text))
        self.assertEqual(cpp.WORD.findall(lexed.code), ["a", "b", "d", "e", "R", "f", "u8"])
        self.assertEqual([comment.line for comment in lexed.comments], [1, 2])

    def test_functions_are_found_with_their_names_and_lines(self):
        code = ("template <class T>\nclass x : y<int> {\n public:\n  x() : a_{1}, b_{f({})} {\n  }\n"
                "  int operator()(int) const noexcept {\n  }\n"
                "  int c_ = {1};\n};\n#if A\nvoid g() {\n#else\nvoid g(int) {\n#endif\n  auto l = [] {\n  };\n}\n"
                "enum class e { a };\nTEST(room, claim) {\n}\nauto h() -> int { return 1; }\n")
        self.assertEqual([(f.name, f.first_line, f.last_line) for f in cpp.functions(cpp.lex(code).code)],
                         [("x", 4, 5), ("operator()", 6, 7), ("g", 11, 17), ("room.claim", 19, 20), ("h", 21, 21)])

    def test_anchors_are_spelled_as_github_does(self):
        self.assertEqual(markdown.anchors("# A b, `c_d`!\n## A b\n## A b\n```\n# no\n```\n"), {"a-b-c_d", "a-b", "a-b-1"})


class Program(unittest.TestCase):
    def run_tidy(self, files, *options):
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                Path(root, path).parent.mkdir(parents=True, exist_ok=True)
                Path(root, path).write_text(text, encoding="utf-8")
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                code = tidy.main(["--root", root, *options])
            return code, out.getvalue(), {path: Path(root, path).read_text(encoding="utf-8") for path in files}

    def test_a_clean_tree_exits_0_and_a_finding_exits_1(self):
        self.assertEqual(self.run_tidy({"a.hpp": "int x;\n"}, "leftovers")[0], 0)
        code, out, _ = self.run_tidy({"a.hpp": "// FIXME\n"}, "leftovers")
        self.assertEqual(code, 1)
        self.assertIn("a.hpp:1: leftovers:", out)
        self.assertIn("Instead: ", out)
        self.assertIn("1 checks, 1 files, 1 findings, 0 excuses", out)
        self.assertNotIn("\033", out)

    def test_only_the_chosen_checks_run(self):
        self.assertEqual(self.run_tidy({"a.hpp": "// FIXME\n"}, "links", "examples")[0], 0)

    def test_json_holds_the_findings(self):
        _, out, _ = self.run_tidy({"a.hpp": "// FIXME\n"}, "leftovers", "--json")
        finding = json.loads(out)["findings"][0]
        self.assertEqual((finding["check"], finding["path"], finding["line"]), ("leftovers", "a.hpp", 1))
        self.assertTrue(finding["instead"])

    def test_an_unknown_check_or_root_exits_2_and_names_it(self):
        for argv, named in ((["edgs"], "edgs"), (["--root", "/no/such/folder"], "/no/such/folder")):
            err = io.StringIO()
            with contextlib.redirect_stderr(err), self.assertRaises(SystemExit) as stopped:
                tidy.main(argv)
            self.assertEqual(stopped.exception.code, 2)
            self.assertIn(named, err.getvalue())

    def test_build_folders_and_hidden_ones_are_left_out(self):
        self.assertEqual(self.run_tidy({"build/a.hpp": "// FIXME\n", "out/CMakeCache.txt": "", "out/a.hpp": "// FIXME\n",
                                        ".git/a.hpp": "// FIXME\n"}, "leftovers")[0], 0)

    def test_fix_writes_the_example_into_the_document(self):
        files = {"a.cpp": "f();\n", "README.md": "<!-- example: a.cpp -->\n```cpp\n```\n"}
        code, _, after = self.run_tidy(files, "examples", "--fix")
        self.assertEqual((code, after["README.md"]), (0, "<!-- example: a.cpp -->\n```cpp\nf();\n```\n"))

    def test_colours_obey_no_color(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        report = report_of("leftovers", {"a.hpp": "// FIXME\n"})
        for value, is_coloured in ((None, True), ("1", False)):
            os.environ.pop("NO_COLOR", None) if value is None else os.environ.update(NO_COLOR=value)
            out = Terminal()
            with contextlib.redirect_stdout(out):
                tidy.print_report(report, ("leftovers",), 1)
            self.assertEqual("\033" in out.getvalue(), is_coloured)


if __name__ == "__main__":
    unittest.main()
