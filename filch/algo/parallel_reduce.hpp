#pragma once
#include <filch/algo/pieces.hpp>

namespace filch {
namespace algo {

/// Folds what `map` makes of `count` elements, not 0. A leaf begins with its first one, so that it needs no identity of its own.
template <class T, class Map, class Combine, loop_index I>
T fold_mapped(const settings& how, I first, std::uint64_t count, Map& map, Combine& combine) {
  const auto mapped = [&map](const I& at) -> decltype(auto) {
    if constexpr (std::integral<I>) {
      return map(at);
    } else {
      return invoke_at(map, at);
    }
  };
  const auto begin = [&mapped](I at) -> T { return mapped(at); };
  const auto add = [&](T& sum, I from, I to) {
    for (; from != to; ++from) sum = combine(std::move(sum), mapped(from));
  };
  return fold_steps(how, first, count, begin, add, combine);
}

}  // namespace algo

/// As below, with options (settings.hpp); with `deterministic` the bracketing depends on the length of the range alone.
/// Throws also: `stopped`.
template <class I, algo::loop_end<I> End, class T, class Map, class Combine>
T parallel_reduce(const algo::settings& how, I first, End last, T identity, Map&& map, Combine&& combine) {
  const std::uint64_t length = algo::distance(first, last);
  return algo::run_in(how, [&]() -> T {
    if (length == 0) return std::move(identity);
    return combine(std::move(identity), algo::fold_mapped<T>(how, first, length, map, combine));
  });
}

/// Folds `map(i)` over [first, last) with `combine`, starting from `identity`; possibly in parallel.
///
/// `combine` must be associative; it need not be commutative: operands keep their order. `map` takes an index or an element.
/// The bracketing depends on timing, so floating-point results may differ in the last bits from run to run.
/// Cost:   work W, span O(log n) combines plus the longest leaf. Space: O(log n) stack with as many results; no allocation. An empty or inverted range gives `identity`.
/// Blocks, throws, threads: as `parallel_for`.
template <class I, algo::loop_end<I> End, class T, class Map, class Combine>
T parallel_reduce(I first, End last, T identity, Map&& map, Combine&& combine) {
  return parallel_reduce(algo::settings{}, first, last, std::move(identity), map, combine);
}

}  // namespace filch
