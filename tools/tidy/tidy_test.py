#!/usr/bin/env python3
"""Every check has a small tree that must trigger it and one that must not."""

import sys
import unittest

sys.dont_write_bytecode = True

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

    def test_a_folder_that_is_a_room_of_its_own_has_its_own_arrows(self):
        self.always = {"tools/tidy/rooms.txt": ROOMS.replace("sched: queue policy\n", "sched: queue policy\nsched/pool: sched\n")}
        files = {"filch/sched/slot.hpp": "", "filch/sched/pool/pool.hpp": "#include <filch/sched/slot.hpp>\n"}
        self.assert_clean(files)
        self.assert_found(files | {"filch/sched/slot.hpp": "#include <filch/sched/pool/pool.hpp>\n"}, "`sched/pool`", "arrows are: queue policy")

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


class Version(CheckTest):
    check = "version"
    number = {"filch/base/version.hpp": "#define FILCH_VERSION_MAJOR 1\n#define FILCH_VERSION_MINOR 4\n"}

    def test_a_namespace_without_the_version_or_of_another_is_found(self):
        for opened in ("namespace filch {", "namespace filch::algo {", "inline namespace filch {",
                       "namespace filch::inline v1_3::algo {", "namespace filch::inline v1_40 {"):
            with self.subTest(opened):
                self.assert_found({**self.number, "filch/algo/a.hpp": f"\n{opened}\n}}\n"}, "v1_4", "a.hpp:2")

    def test_the_namespace_of_the_version_and_other_folders_are_fine(self):
        self.assert_clean({**self.number, "filch/algo/a.hpp": "namespace filch::inline v1_4::algo {\n}  // namespace filch::algo\n",
                           "tools/cli/a.hpp": "namespace filch::cli {\n}\n"})


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


if __name__ == "__main__":
    unittest.main()
