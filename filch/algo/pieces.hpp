#pragma once
// What every algorithm stands on: a loop over offsets, whose leaves do the work.
#include <filch/algo/split_loop.hpp>

#include <variant>

namespace filch::algo {

/// Runs `f` where `how` says: on its pool, else on the caller's, and from outside every pool on the default one.
/// Throws: what `f` throws.
template <class F>
decltype(auto) run_in(const settings& how, F&& f) {
  if (how.pool != nullptr && !how.pool->is_current()) return how.pool->run(std::forward<F>(f));
  if (how.pool == nullptr && sched::is_outside()) return pool_here().run(std::forward<F>(f));
  return f();
}

/// Folds `leaf(from, to)` over pieces that cover [0, count), count > 0, with `combine(left, right)`, which keeps their order.
/// The caller is inside `run_in`. Cost, blocking, exceptions: as `split_loop`, `join`.
template <loop_index I, class Leaf, class Combine>
auto fold_pieces(const settings& how, I first, std::uint64_t count, Leaf&& leaf, Combine&& combine) {
  return split_loop<I, std::remove_reference_t<Leaf>, std::remove_reference_t<Combine>>(how, leaf, combine).run(first, count);
}
template <class Leaf, class Combine>
auto fold_pieces(const settings& how, std::uint64_t count, Leaf&& leaf, Combine&& combine) {
  return fold_pieces(how, std::uint64_t{0}, count, leaf, combine);
}

/// Calls `leaf(from, to)` on pieces that cover [0, count). As `fold_pieces`, without results.
template <loop_index I, class Leaf>
void for_pieces(const settings& how, I first, std::uint64_t count, Leaf&& leaf) {
  if (count == 0) return;
  const auto run_leaf = [&leaf](I from, I to) {
    leaf(from, to);
    return std::monostate{};
  };
  fold_pieces(how, first, count, run_leaf, [](std::monostate, std::monostate) { return std::monostate{}; });
}
template <class Leaf>
void for_pieces(const settings& how, std::uint64_t count, Leaf&& leaf) {
  for_pieces(how, std::uint64_t{0}, count, leaf);
}

}  // namespace filch::algo
