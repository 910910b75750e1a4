#pragma once
#include <filch/algo/divisible.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::algo {

/// The smaller or larger of two, by value: `std::ranges::min` returns a reference, and then g++ 12
/// does not vectorize.
struct smaller {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct larger {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

/// The operation that replaces `Op` between lanes of a `T`; void if there is none.
template <class Op, class T>
struct lane_op_of {
  using type = void;
};
template <class T>
struct lane_op_of<std::remove_const_t<decltype(std::ranges::min)>, T> {
  using type = smaller;
};
template <class T>
struct lane_op_of<std::remove_const_t<decltype(std::ranges::max)>, T> {
  using type = larger;
};
template <class T>
struct lane_op_of<smaller, T> {
  using type = smaller;
};
template <class T>
struct lane_op_of<larger, T> {
  using type = larger;
};
template <template <class> class Op, class Of, class T>
requires((std::same_as<Of, T> || std::same_as<Of, void>)&&(
    std::same_as<Op<void>, std::plus<>> || std::same_as<Op<void>, std::multiplies<>> ||
    std::same_as<Op<void>, std::bit_and<>> || std::same_as<Op<void>, std::bit_or<>> ||
    std::same_as<Op<void>, std::bit_xor<>>)) struct lane_op_of<Op<Of>, T> {
  using type = Op<void>;
};
template <class Op, class T>
using lane_op = typename lane_op_of<std::remove_cvref_t<Op>, T>::type;

/// An operation whose operands may change places, and that is cheap enough for this to matter. It
/// is known to be commutative and associative; between floating-point numbers it counts as
/// associative.
template <class Op, class T>
concept reorderable = std::is_arithmetic_v<T> && !std::same_as<T, bool> && sizeof(T) <= 8 &&
                      !std::is_void_v<lane_op<Op, T>>;

/// The type of a lane. Unsigned if some lanes could overflow although the total does not. Never
/// narrower than int: narrower types would be promoted to int, and then overflow.
template <class Op, class T>
struct lane_type {
  using type = T;
};
template <class Op, std::integral T>
requires(!std::same_as<Op, smaller> && !std::same_as<Op, larger>) struct lane_type<Op, T> {
  using type = std::conditional_t<(sizeof(T) < sizeof(int)), unsigned, std::make_unsigned_t<T>>;
};

/// Combines two numbers by `Op` as lanes do: sums of chunks may overflow too, although the total
/// does not.
template <class T, class Op>
T combine_lanes(T left, T right) {
  using lane = typename lane_type<lane_op<Op, T>, T>::type;
  return static_cast<T>(lane_op<Op, T>{}(static_cast<lane>(left), static_cast<lane>(right)));
}

/// Enough lanes to hide the latency of an addition, in a loop of constant length: g++ 12 vectorizes
/// no other at -O2.
inline constexpr std::size_t lane_count = 32;

/// Folds `read(i)` over [from, to), which is not empty, in lanes. Element i goes to lane i %
/// `lane_count`, and the lanes meet pairwise at the end. So the bracketing depends on the length
/// alone.
template <class T, class Op, class Read>
T fold_lanes(std::uint64_t from, std::uint64_t to, Read read) {
  using op_type = lane_op<Op, T>;
  using lane = typename lane_type<op_type, T>::type;
  constexpr op_type op{};
  const auto at = [&](std::uint64_t i) { return static_cast<lane>(static_cast<T>(read(i))); };

  if (to - from < lane_count) {
    lane sum = at(from++);
    for (; from != to; ++from) sum = static_cast<lane>(op(sum, at(from)));
    return static_cast<T>(sum);
  }
  // Aligned, so that it takes few cache lines: each is read and written again in every round
  alignas(64) lane lanes[lane_count];
  for (std::size_t k = 0; k != lane_count; ++k) lanes[k] = at(from + k);
  const std::uint64_t rounds_end = to - (to - from) % lane_count;
  for (from += lane_count; from != rounds_end; from += lane_count) {
    for (std::size_t k = 0; k != lane_count; ++k)
      lanes[k] = static_cast<lane>(op(lanes[k], at(from + k)));
  }
  for (std::size_t k = 0; from != to; ++k, ++from)
    lanes[k] = static_cast<lane>(op(lanes[k], at(from)));
  for (std::size_t half = lane_count / 2; half != 0; half /= 2) {
    for (std::size_t k = 0; k != half; ++k)
      lanes[k] = static_cast<lane>(op(lanes[k], lanes[k + half]));
  }
  return static_cast<T>(lanes[0]);
}

}  // namespace filch::algo
