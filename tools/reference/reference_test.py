#!/usr/bin/env python3
"""The reference: what a header says about a name, how a page shows it, and what the check prints."""

import tempfile
import unittest
from pathlib import Path

import reference
from declared import Header, call_of, readable
import names

POOL = """\
#pragma once
namespace filch {

/// A set of workers. Made by `make_pool`.
///
/// Cost: none.
class FILCH_CAPABILITY("pool") pool final : sched::core, public std::exception {
 public:
  /// Makes it. Throws: `std::bad_alloc`.
  explicit pool(unsigned workers = 2) : workers_{workers} {}
  ~pool();
  pool(const pool&) = delete;

  /// Runs `f` once for each of `workers`, in the `order` of `make_pool`.
  template <class F>
  requires std::invocable<F>
  void run(F&& f, base::place where = {}) { f(); }
  void run_all() noexcept;

  /// For filch's own parts.
  sched::core& core();

  unsigned count = 0;  ///< Of jobs.
  unsigned order = 0;

 private:
  unsigned workers_;
};

/// Makes a pool.
inline pool make_pool(unsigned workers) noexcept { return pool{workers}; }
inline pool make_pool() { return pool{}; }

/// The same for a pool of another library. It has a longer docstring.
/// Cost: much.
inline pool make_pool(const char* library, base::place where = {});

enum class order {
  first,  ///< Oldest first.
  last,
};

[[deprecated(
    "use pool; gone with 0.3")]] inline constexpr unsigned old_pool = 1;

}  // namespace filch
"""
GUIDE = "# Make a pool\n\n`filch::order` in prose.\n\n```cpp\nfilch::make_pool(2);\n```\n"


def line_of(text):
    return POOL[:POOL.index(text)].count("\n") + 1


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for path, text in {"filch/fork.hpp": "#pragma once\n// Pools: `filch::pool`.\n#include <filch/sched/pool.hpp>\n",
                           "filch/sched/pool.hpp": POOL, "docs/guide/how/pool.md": GUIDE, "examples/a.cpp": "filch::pool p;\n",
                           "tools/reference/topics.txt": "Pools: pool make_pool\n  order old_pool\n"}.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.header = Header(self.root / "filch/sched/pool.hpp")

    def made(self, topics=None):
        if topics:
            (self.root / "tools/reference/topics.txt").write_text(topics)
        found = [names.Declared("filch", kind, name, "filch/sched/pool.hpp", kind == "class", line_of(text)) for kind, name, text in (
            ("class", "pool", "class FILCH"), ("function", "make_pool", "inline pool make_pool(unsigned"),
            ("function", "make_pool", "inline pool make_pool()"),
            ("function", "make_pool", "inline pool make_pool(const"), ("enum", "order", "enum class"),
            ("constant", "old_pool", "[[deprecated"))]
        return reference.Reference(self.root, found, [], names.Doors(self.root))

    def test_a_declaration_has_no_macro_internal_base_or_body(self):
        self.assertEqual(self.header.entry(line_of("class FILCH")).text, "class pool final : public std::exception;")
        self.assertEqual(self.header.entry(line_of("inline pool make_pool(unsigned")).text, "pool make_pool(unsigned workers) noexcept;")

    def test_members_are_the_public_ones_that_users_call(self):
        pool = self.header.entry(line_of("class FILCH"))
        self.assertEqual([member.text for member in pool.members],
                         ["explicit pool(unsigned workers = 2);",
                          "template <class F>\nrequires std::invocable<F>\nvoid run(F&& f);", "void run_all() noexcept;",
                          "unsigned count = 0;", "unsigned order = 0;"])
        self.assertEqual(pool.members[3].doc, ["Of jobs."])
        self.assertEqual(pool.remarks, ["Can be neither copied nor moved."])

    def test_declarations_without_a_blank_line_between_share_a_docstring(self):
        self.assertEqual(self.header.entry(line_of("inline pool make_pool()")).doc, ["Makes a pool."])
        self.assertEqual(self.header.entry(line_of("enum class")).doc, [])

    def test_long_declarations_break_behind_commas(self):
        text = readable("void f(" + ", ".join(f"const std::string& name{at}" for at in range(6)) + ")", "function")
        self.assertTrue(all(len(line) <= 96 and line[-1] in ",;" for line in text.splitlines()))

    def test_an_algorithm_shows_how_to_call_it(self):
        self.assertEqual(call_of("sort", "template <class It, class Comp = std::less<>> static It run(const settings& how, It first, "
                                         "std::uint64_t count, Comp comp = {});"), "sort(range, comp = std::less<>{})")
        self.assertIsNone(call_of("sort", "void other();"))

    def test_a_page_links_names_and_uses_and_says_what_replaces_a_deprecated_name(self):
        page = "\n".join(self.made().page("fork.hpp"))
        self.assertIn("Pools: [`filch::pool`](#pool).", page)
        self.assertIn("A set of workers. Made by [`make_pool`](#make_pool).", page)
        self.assertIn("**Cost:** none.", page)
        self.assertIn("**Throws:** `std::bad_alloc`.", page)
        self.assertIn("- `unsigned count = 0`: Of jobs.", page)
        self.assertIn("**Deprecated:** use [`pool`](#pool); gone with 0.3.", page)
        self.assertIn("**Used in:** [Make a pool](../guide/how/pool.md)", page)
        self.assertIn("[`examples/a.cpp`](../../examples/a.cpp)", page)
        self.assertIn("in the `order` of [`make_pool`](#make_pool).", page)  # its own member
        self.assertNotIn("core", page)

    def test_an_index_has_the_sentence_of_the_overload_that_explains_itself(self):
        made = self.made()
        made.names["filch::make_pool"].entries.reverse()
        self.assertIn("- [`make_pool`](fork.md#make_pool): Makes a pool\n", "\n".join(made.index()) + "\n")

    def test_a_page_tells_of_the_parameter_that_it_leaves_out(self):
        page = "\n".join(self.made().page("fork.hpp"))
        self.assertIn("pool make_pool(const char* library);", page)
        self.assertEqual(page.count("A further parameter is the place of the call"), 1)

    def test_what_a_name_lacks_is_told(self):
        self.assertEqual(list(self.made().lacks()),
                         ["filch::old_pool docstring", "filch::order docstring", "filch::order example"])
        lacks = list(self.made("Pools: pool make_pool order gone\n").lacks())
        self.assertIn("filch::old_pool topic", lacks)
        self.assertIn("gone public name", lacks)

    def test_rows_may_only_go(self):
        self.assertEqual(reference.judge(["a docstring"], ["a docstring"]), [])
        self.assertIn("  b has no example", reference.judge(["b example"], []))
        self.assertIn("delete the row", reference.judge([], ["a docstring"])[0])

    def test_all_pages_are_written(self):
        self.assertEqual(self.made().write(self.root / "out"), 3)
        self.assertIn("[`make_pool`](fork.md#make_pool)", (self.root / "out/README.md").read_text())
        self.assertIn("| [`order`](fork.md#order) | enum |", (self.root / "out/names.md").read_text())


class Text(unittest.TestCase):
    def test_a_label_begins_a_paragraph(self):
        self.assertEqual(reference.paragraphs(["Runs.", "It waits. Throws: x.", "Cost: 1", "  more", "", "End."]),
                         ["Runs. It waits.", "Throws: x.", "Cost: 1 more", "End."])

    def test_code_in_a_docstring_stays_code(self):
        self.assertEqual(reference.paragraphs(["So:", "", "    a b;", "    c;", "", "Cost:    1", "         more"]),
                         ["So:", "```cpp\na b;\nc;\n```\n", "Cost:    1 more"])

    def test_topics_go_on_in_indented_lines(self):
        self.assertEqual(reference.read_topics("# x\nA: b c\n  d\nE: f\n"), {"A": ["b", "c", "d"], "E": ["f"]})


if __name__ == "__main__":
    unittest.main()
