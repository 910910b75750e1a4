#pragma once
#include <filch/algo/chunks.hpp>

#include <ranges>

namespace filch::inline v0_2 {
namespace algo {

/// The leaf of a fold over `map` of each element. A sum begins with its first element, so it needs
/// no identity.
template <class T, loop_index I, class Map, class Combine>
struct mapped_fold {
  Map& map;
  Combine& combine;

  void operator()(std::optional<T>& sum, I first, I last) const {
    const auto begin = [this](I at) -> T { return mapped(at); };
    const auto add = [this](T& value, I from, I to) {
      for (; from != to; ++from) value = combine(std::move(value), mapped(from));
    };
    element_fold<T, I, decltype(begin), decltype(add)>{begin, add}(sum, first, last);
  }

 private:
  decltype(auto) mapped(const I& at) const {
    if constexpr (std::integral<I>) {
      return map(at);
    } else {
      return invoke_at(map, at);
    }
  }
};

}  // namespace algo

/// As below, with options (`with`). With `deterministic` the bracketing depends on the length
/// of the range alone. Also throws `stopped`.
template <class I, class End, class T, class Map, class Combine>
T parallel_reduce(const algo::settings& how, I first, End last, T identity, Map&& map,
                  Combine&& combine) {
  if constexpr (algo::check_ends<I, End>()) {
    const auto all = algo::loop_range_between(first, last);
    using leaf_type = algo::mapped_fold<T, decltype(all.first), std::remove_reference_t<Map>,
                                        std::remove_reference_t<Combine>>;
    const leaf_type leaf{map, combine};
    std::optional<T> sum(std::move(identity));
    algo::fold_anywhere(how, all.first, all.count, algo::log2_element_chunks, sum, leaf, combine);
    return *std::move(sum);
  }
}

/// Folds `map(i)` over [first, last) with `combine`, starting from `identity`; possibly in
/// parallel. An empty or inverted range gives `identity`.
///
/// `combine` must be associative; operands keep their order, so it need not be commutative. `map`
/// takes an index or an element. The bracketing depends on timing, so floating-point results may
/// differ in the last bits from run to run.
///
/// Cost: work W, span O(log n) combines plus the longest leaf. Space: O(log n) stack with as many
/// results; no allocation.
/// Blocks, throws, threads: as `parallel_for`.
template <class I, class End, class T, class Map, class Combine>
requires(!algo::settings_like<I>) T
    parallel_reduce(I first, End last, T identity, Map&& map, Combine&& combine) {
  return parallel_reduce(algo::settings{}, first, last, std::move(identity), map, combine);
}

/// As above, over the elements of a sized random-access range.
template <class R, class T, class Map, class Combine>
requires(!algo::divisible<std::remove_cvref_t<R>>) T
    parallel_reduce(const algo::settings& how, R&& range, T identity, Map&& map,
                    Combine&& combine) {
  if constexpr (algo::check_range<R>()) {
    const auto first = std::ranges::begin(range);
    return parallel_reduce(how, first, first + std::ranges::ssize(range), std::move(identity), map,
                           combine);
  }
}
template <class R, class T, class Map, class Combine>
requires(!algo::divisible<std::remove_cvref_t<R>> && !algo::settings_like<R>) T
    parallel_reduce(R&& range, T identity, Map&& map, Combine&& combine) {
  return parallel_reduce(algo::settings{}, range, std::move(identity), map, combine);
}

}  // namespace filch
