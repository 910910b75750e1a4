#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/plain_memory.hpp>
#include <filch/algo/simd_lanes.hpp>

#include <functional>
#include <optional>

namespace filch {
namespace algo {

/// A fold in lanes meets all of them at the end of each step, some 10 ns: it takes fewer ones.
inline constexpr std::uint32_t lane_steps = 3;

/// `start` and `read(i)` for all i below `count`, folded with `op`: in order, or in lanes where
/// `op` allows it.
template <class T, class Op, class Read>
T fold(const settings& how, std::uint64_t count, T start, Op& op, Read read) {
  std::optional<T> sum(std::move(start));
  if constexpr (reorderable<Op, T>) {
    auto& combine = combine_lanes<T, Op>;
    const auto add = [&](std::optional<T>& to, std::uint64_t from, std::uint64_t last) {
      add_value(to, combine, [&] { return fold_lanes<T, Op>(from, last, read); });
    };
    fold_here(how, std::uint64_t{0}, count, lane_steps, sum, add, combine);
  } else {
    const auto combine = [&op](T left, T right) -> T {
      return static_cast<T>(std::invoke(op, std::move(left), std::move(right)));
    };
    const auto begin = [&read](std::uint64_t at) { return static_cast<T>(read(at)); };
    const auto add = [&](T& to, std::uint64_t from, std::uint64_t last) {
      for (; from != last; ++from) to = static_cast<T>(std::invoke(op, std::move(to), read(from)));
    };
    const element_fold<T, std::uint64_t, decltype(begin), decltype(add)> leaf{begin, add};
    fold_here(how, std::uint64_t{0}, count, element_steps, sum, leaf, combine);
  }
  return *std::move(sum);
}

/// `start` and what `map` makes of all elements of a stream, in order, folded with `op`. Without
/// lanes: nobody knows where the next one is.
template <class T, stream S, class Op, class Map>
T fold_stream(const settings& how, const S& from, T start, Op& op, Map& map) {
  std::optional<T> sum(std::move(start));
  const auto combine = [&op](auto&& left, auto&& right) -> T {
    return static_cast<T>(
        std::invoke(op, std::forward<decltype(left)>(left), std::forward<decltype(right)>(right)));
  };
  const auto add = [&](std::optional<T>& to, std::uint64_t first, std::uint64_t last) {
    from.visit(first, last, [&](auto&& each) {
      if (to) {
        *to = combine(*std::move(to), std::invoke(map, std::forward<decltype(each)>(each)));
      } else {
        to.emplace(static_cast<T>(std::invoke(map, std::forward<decltype(each)>(each))));
      }
      return true;
    });
  };
  fold_here(how, std::uint64_t{0}, from.positions(), element_steps, sum, add, combine);
  return *std::move(sum);
}

/// `how`, without a clock where operation and memory are plain.
template <class T, class Op, class... It>
settings for_folding(const settings& how) {
  if constexpr (reorderable<Op, T>) {
    return at_known_cost<It...>(how);
  } else {
    return how.for_part();
  }
}

struct reduce_fn : algorithm<reduce_fn> {
  template <std::random_access_iterator It, class T = std::iter_value_t<It>, class Op = std::plus<>>
  static T run(const settings& how, It first, std::uint64_t count, T start = {}, Op op = {}) {
    return fold(for_folding<T, Op, It>(how), count, std::move(start), op,
                [first](std::uint64_t i) -> decltype(auto) { return *advance(first, i); });
  }
  template <stream S, class T = stream_value<S>, class Op = std::plus<>>
  static T run(const settings& how, const S& from, T start = {}, Op op = {}) {
    std::identity same;
    return fold_stream(how, from, std::move(start), op, same);
  }
};

struct transform_reduce_fn : algorithm<transform_reduce_fn>, algorithm_of_two<transform_reduce_fn> {
  using algorithm<transform_reduce_fn>::operator();
  using algorithm_of_two<transform_reduce_fn>::operator();

  /// Where `init` is itself a range, as a string is: what follows folds it, so it is no second
  /// input.
  template <settings_like How, input_range R, class T, class Op, class Map>
  requires std::invocable<Op&, T, T> T operator()(const How& how, R&& range, T init, Op op,
                                                  Map map) const {
    return (*this)(how, std::ranges::begin(range),
                   std::ranges::begin(range) + std::ranges::distance(range), std::move(init),
                   std::move(op), std::move(map));
  }
  template <input_range R, class T, class Op, class Map>
  requires std::invocable<Op&, T, T> T operator()(R&& range, T init, Op op, Map map) const {
    return (*this)(settings{}, range, std::move(init), std::move(op), std::move(map));
  }

  template <std::random_access_iterator It, class T, class Op, class Map>
  static T run(const settings& how, It first, std::uint64_t count, T start, Op op, Map map) {
    return fold(how, count, std::move(start), op, [first, &map](std::uint64_t i) -> decltype(auto) {
      return invoke_at(map, advance(first, i));
    });
  }

  template <stream S, class T, class Op, class Map>
  static T run(const settings& how, const S& from, T start, Op op, Map map) {
    return fold_stream(how, from, std::move(start), op, map);
  }

  template <std::random_access_iterator It1, std::random_access_iterator It2, class T,
            class Op = std::plus<>, class Map = std::multiplies<>>
  static T run(const settings& how, It1 first1, std::uint64_t count1, It2 first2,
               std::uint64_t count2, T start, Op op = {}, Map map = {}) {
    return fold(how, (std::min)(count1, count2), std::move(start), op,
                [=, &map](std::uint64_t i) -> decltype(auto) {
                  return invoke_at(map, advance(first1, i), advance(first2, i));
                });
  }
};

}  // namespace algo

/// `reduce(range)`, `reduce(range, init)`, `reduce(range, init, op)`: `init` and all elements,
/// folded with `op`, which is + where nothing is said.
///
/// `op` must be associative; operands keep their order, so it need not be commutative. But
/// std::plus, multiplies, bit_and, bit_or and bit_xor, std::ranges::min and max between numbers of
/// up to 64 bits go in 32 lanes, so that the compiler vectorises: sums of floating-point numbers
/// are then bracketed otherwise than by a loop, and more exact. With `deterministic` they have the
/// same bits at any width. The type of `init` is that of the result and of every partial one, as in
/// std::reduce; elements convert to it. A stream may stand for the range.
/// Cost: work W, span O(log n) calls plus a leaf; no allocation; numbers in memory are not timed,
/// so short ranges cost a loop.
/// Throws: what the lowest piece threw; the input is unchanged unless `op` changes it.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::explained<algo::reduce_fn> reduce{};

/// `transform_reduce(range, init, op, map)`: as `reduce` over map(element), called once for each;
/// `transform_reduce(range1, range2, init, op = plus, map = multiplies)`: over map(range1[i],
/// range2[i]), as far as the shorter one goes.
inline constexpr algo::explained<algo::transform_reduce_fn> transform_reduce{};

}  // namespace filch
