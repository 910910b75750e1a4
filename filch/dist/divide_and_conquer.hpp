#pragma once
#include <filch/dist/for_each_task.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace filch::inline v0_2::dist {

/// Splits `problem` again and again by `split(p)`, which returns a range of smaller ones, until
/// `is_leaf(p)`; solves the leaves by `solve(p)`; and returns the combined results, on all ranks.
/// The problem of rank 0 counts. Called by all ranks.
///
/// Results meet in any order, so `meets` must be commutative. For results in an order give each a
/// key (`by_key`).
/// Cost, Blocks, Throws: as `run`.
/// Threads: the functions are called by several threads at once.
/// Example: examples/dist_tasks.cpp
template <class P, class IsLeaf, class Split, class Solve, class R, class Combine>
R divide_and_conquer(communicator& ranks, P problem, const IsLeaf& is_leaf, const Split& split,
                     const Solve& solve, monoid<R, Combine> meets,
                     const run_options& options = {}) {
  const auto expand = [&](P at, auto& push, R& result) {
    if (std::invoke(is_leaf, std::as_const(at)))
      return meets.add(result, std::invoke(solve, std::move(at)));
    for (auto& each : std::invoke(split, std::move(at))) push(std::move(each));
  };
  std::vector<P> roots;
  roots.push_back(std::move(problem));
  return for_each_task(ranks, std::move(roots), expand, meets, options);
}

}  // namespace filch::dist
