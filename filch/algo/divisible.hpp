#pragma once
#include <filch/algo/sub_range.hpp>

#include <algorithm>
#include <array>

namespace filch::inline v0_2 {

/// A box of indices, with as many dimensions as it is given sides:
/// `blocked_range{index_range(0, rows), index_range(0, columns)}`. A loop halves the longest side,
/// so leaves are nearly square and find their neighbors in the cache.
///
/// Source: Frigo, Leiserson, Prokop and Ramachandran, "Cache-Oblivious Algorithms", FOCS 1999.
template <std::integral I, std::size_t Dimensions>
class blocked_range {
 public:
  /// Sides may have another integer type than the box. Throws: as their constructor.
  template <std::integral... Js>
  requires(sizeof...(Js) == Dimensions) constexpr explicit blocked_range(index_range<Js>... sides)
      : sides_{as_side(sides)...} {}

  constexpr const std::array<index_range<I>, Dimensions>& sides() const noexcept { return sides_; }
  /// The number of points, if it is below 2^64; 0 if a side is empty or inverted.
  constexpr std::uint64_t size() const noexcept {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    std::uint64_t points = 1;
    for (const index_range<I>& side : sides_) {
      if (__builtin_mul_overflow(points, algo::distance(side.first(), side.last()), &points))
        points = most;
    }
    return points;
  }
  constexpr blocked_range left() const noexcept { return with_longest(true); }
  constexpr blocked_range right() const noexcept { return with_longest(false); }

 private:
  template <class J>
  static constexpr index_range<I> as_side(index_range<J> side) {
    const auto [first, last] = algo::ends_as<I>(side.first(), side.last());
    return {first, last};
  }
  constexpr blocked_range with_longest(bool is_left) const noexcept {
    blocked_range half = *this;
    auto& side = *std::max_element(half.sides_.begin(), half.sides_.end(),
                                   [](auto a, auto b) { return a.size() < b.size(); });
    const I middle = algo::advance(side.first(), side.size() / 2);
    side = is_left ? index_range<I>(side.first(), middle) : index_range<I>(middle, side.last());
    return half;
  }

  std::array<index_range<I>, Dimensions> sides_;
};

template <std::integral... Is>
blocked_range(index_range<Is>...) -> blocked_range<std::common_type_t<Is...>, sizeof...(Is)>;

namespace algo {

/// What a loop can run over: it has a number of points and two halves.
template <class R>
concept divisible = requires(const R range) {
  { range.size() } -> std::same_as<std::uint64_t>;
  { range.left() } -> std::same_as<R>;
  { range.right() } -> std::same_as<R>;
};

/// A range over a line: its first index or iterator, and its length.
template <loop_index I>
struct loop_range {
  I first;
  std::uint64_t count;

  constexpr std::uint64_t size() const noexcept { return count; }
  constexpr I last() const { return advance(first, count); }
  constexpr loop_range left() const { return {first, count / 2}; }
  constexpr loop_range right() const { return {advance(first, count / 2), count - count / 2}; }
};

/// The range of a loop that is given two ends. Two integer types count in their common type.
template <class I, loop_end<I> End>
constexpr auto loop_range_between(I first, End last) {
  if constexpr (std::integral<I>) {
    using index = std::common_type_t<I, End>;
    const auto [from, to] = ends_as<index>(first, last);
    return loop_range<index>{from, algo::distance(from, to)};
  } else {
    return loop_range<I>{first, algo::distance(first, last)};
  }
}

}  // namespace algo
}  // namespace filch
