#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/plain_memory.hpp>
#include <filch/algo/simd_lanes.hpp>

#include <functional>
#include <optional>

namespace filch::inline v0_2 {
namespace algo {

/// The lanes of a fold meet at the end of each chunk, which takes about 10 ns. So it takes fewer
/// chunks.
inline constexpr std::uint32_t log2_lane_chunks = 3;

/// The type in which the values of leaves meet. One worker adds thousands of leaves to one value,
/// which costs a float its last digits.
template <class T>
using meeting_type = std::conditional_t<std::is_same_v<T, float>, double, T>;

/// Folds `start` and `read(i)` for all i below `count` with `op`: in order, or in lanes if `op`
/// allows it.
template <class T, class Op, class Read>
T fold(const settings& how, std::uint64_t count, T start, Op& op, Read read) {
  if constexpr (reorderable<Op, T>) {
    using total = meeting_type<T>;
    std::optional<total> sum(static_cast<total>(start));
    auto& combine = combine_lanes<total, lane_op<Op, T>>;
    const auto add = [&](std::optional<total>& to, std::uint64_t from, std::uint64_t last) {
      add_value(to, combine,
                [&] { return static_cast<total>(fold_lanes<T, Op>(from, last, read)); });
    };
    fold_here(how, std::uint64_t{0}, count, log2_lane_chunks, sum, add, combine);
    return static_cast<T>(*sum);
  } else {
    std::optional<T> sum(std::move(start));
    const auto combine = [&op](T left, T right) -> T {
      return static_cast<T>(std::invoke(op, std::move(left), std::move(right)));
    };
    const auto begin = [&read](std::uint64_t at) { return static_cast<T>(read(at)); };
    const auto add = [&](T& to, std::uint64_t from, std::uint64_t last) {
      for (; from != last; ++from) to = static_cast<T>(std::invoke(op, std::move(to), read(from)));
    };
    const element_fold<T, std::uint64_t, decltype(begin), decltype(add)> leaf{begin, add};
    fold_here(how, std::uint64_t{0}, count, log2_element_chunks, sum, leaf, combine);
    return *std::move(sum);
  }
}

/// Folds `start` and `map` of all elements of a stream with `op`, in order. Without lanes, because
/// the place of the next element is unknown.
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
  fold_here(how, std::uint64_t{0}, from.positions(), log2_element_chunks, sum, add, combine);
  return *std::move(sum);
}

/// Returns `how`, without a clock if operation and memory are plain.
template <class T, class Op, class... It>
settings for_folding(const settings& how) {
  if constexpr (reorderable<Op, T>) {
    return at_known_cost<It...>(how);
  } else {
    return how.with_same_limit();
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

  /// If `init` is itself a range, such as a string, and operations follow, it is no second input.
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

/// `reduce(range)`, `reduce(range, init)`, `reduce(range, init, op)`: folds `init` and all elements
/// with `op`, which is + by default. A stream may replace the range.
///
/// `op` must be associative; operands keep their order, so it need not be commutative. Some
/// operations between numbers of up to 64 bits run in 32 SIMD lanes: `std::plus`, `multiplies`,
/// `bit_and`, `bit_or`, `bit_xor`, `std::ranges::min` and `max`. Floating-point sums are then
/// bracketed differently from a loop, and more exact. With `deterministic` they have the same bits
/// for any number of workers. As in `std::reduce`, the type of `init` is that of the result and of
/// every partial one; elements convert to it.
///
/// Cost: work W, span O(log n) calls plus a leaf; no allocation. Numbers in memory are not timed,
/// so a short range costs a loop.
/// Throws: what the lowest chunk threw; the input is unchanged unless `op` changes it.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::explained<algo::reduce_fn> reduce{};

/// `transform_reduce(range, init, op, map)`: as `reduce` over `map(element)`, which is called once
/// for each. `transform_reduce(range1, range2, init, op = plus, map = multiplies)`: over
/// `map(range1[i], range2[i])`, up to the end of the shorter range.
inline constexpr algo::explained<algo::transform_reduce_fn> transform_reduce{};

}  // namespace filch
