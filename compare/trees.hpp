#pragma once
// The workloads as trees. Below its cutoff a node is computed by the same plain recursion that the
// serial row runs.
#include <bench/duplicates/problem.hpp>
#include <bench/fib/problem.hpp>
#include <bench/nqueens/problem.hpp>
#include <bench/sum/problem.hpp>
#include <bench/uts/problem.hpp>
#include <compare/computation.hpp>

#include <cstdint>

namespace filch::compare {

struct fib_tree {
  using node = unsigned;
  using result = std::uint64_t;
  unsigned n;
  unsigned plain_below;  ///< Smaller arguments are computed by plain calls.

  node root() const { return n; }
  void expand(node k, result& sum, const auto& spawn) const {
    if (k < 2 || k < plain_below) {
      sum += bench::fib::serial(k);
    } else {
      spawn(k - 1);
      spawn(k - 2);
    }
  }
};

struct nqueens_tree {
  using node = bench::nqueens::board;
  using result = std::uint64_t;
  int n;
  int plain_columns;  ///< The last columns, filled by plain calls.

  node root() const { return {}; }
  void expand(const node& placed, result& solutions, const auto& spawn) const {
    if (n - placed.columns <= plain_columns) {
      solutions += bench::nqueens::serial(n, placed);
      return;
    }
    for (int row = 0; row < n; ++row) {
      const node next = placed.with(row);
      if (next.is_safe()) spawn(next);
    }
  }
};

struct uts_tree {
  using node = bench::uts::node;
  using result = bench::uts::tally;
  bench::uts::tree tree;

  node root() const { return bench::uts::root(tree); }
  void expand(const node& n, result& counted, const auto& spawn) const {
    const int children = bench::uts::child_count(tree, n);
    counted = counted + result{1, children == 0, n.depth};
    for (int i = 0; i < children; ++i) spawn(bench::uts::child(n, i));
  }
};

struct index_range {
  std::uint64_t first;
  std::uint64_t last;
};

/// A loop as a tree: ranges are halved down to `leaf_items`. Yields the sum of what `map` returns.
template <class Map>
struct loop_tree {
  using node = index_range;
  using result = std::uint64_t;
  std::uint64_t count;
  std::uint64_t leaf_items;
  Map map;

  node root() const { return {0, count}; }
  void expand(const node& range, result& sum, const auto& spawn) const {
    if (range.last - range.first > leaf_items) {
      const std::uint64_t middle = range.first + (range.last - range.first) / 2;
      spawn(node{range.first, middle});
      spawn(node{middle, range.last});
      return;
    }
    result here = 0;  // not `sum`: the loop shall keep it in a register
    for (std::uint64_t i = range.first; i < range.last; ++i) here += map(i);
    sum += here;
  }
};

/// The search for duplicates on a scheduler: its loops become trees. A loop inside a loop runs
/// where it is met, since no job of this room waits for others; so folders are listed side by side
/// on the first level only.
class search_on {
 public:
  explicit search_on(scheduler& where) : where_{&where} {}

  template <class Body>
  void for_each_index(std::size_t count, const Body& body) const {
    if (inside_loop) return bench::duplicates::one_by_one{}.for_each_index(count, body);
    const auto guarded = [&](std::uint64_t i) {
      inside_loop = true;
      body(static_cast<std::size_t>(i));
      inside_loop = false;
      return std::uint64_t{1};
    };
    run_on(*where_, loop_tree<decltype(guarded)>{count, 1, guarded});
  }
  template <class Wait>
  auto wait_for(const Wait& wait) const {
    return wait();
  }

 private:
  static inline thread_local bool inside_loop = false;
  scheduler* where_;
};

}  // namespace filch::compare
