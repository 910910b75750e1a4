#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/plain_memory.hpp>

#include <algorithm>
#include <memory>

namespace filch::inline v0_2 {
namespace algo {

struct reverse_fn : algorithm<reverse_fn> {
  template <std::random_access_iterator It>
  static It run(const settings& how, It first, std::uint64_t count) {
    check_writable<It>();
    for_chunks(at_known_cost<It>(how), count / 2, [&](std::uint64_t from, std::uint64_t to) {
      It low = advance(first, from);
      It high = advance(first, count - from);
      for (; from != to; ++from, ++low) std::ranges::iter_swap(low, --high);
    });
    return advance(first, count);
  }
};

struct rotate_fn {
  template <settings_like How, std::random_access_iterator It, std::sized_sentinel_for<It> End>
  It operator()(const How& given, It first, It middle, End last) const {
    const settings& how = given;
    const std::uint64_t left = count_of(first, middle), right = count_of(middle, last);
    run_in(how, [&] {
      if (left == 0 || right == 0) return;
      if constexpr (plain_memory<It>) {  // on one worker it moves each element once
        if (left + right <= plain_leaf_bytes / sizeof(std::iter_value_t<It>)) {
          auto* const from = std::to_address(first);  // clang 14 has no std::ranges::rotate
          std::rotate(from, from + left, from + left + right);
          return;
        }
      }
      join_within(
          how, [&] { reverse_fn::run(how, first, left); },
          [&] { reverse_fn::run(how, middle, right); });
      reverse_fn::run(how, first, left + right);
    });
    return advance(first, right);
  }
  template <settings_like How, input_range R>
  auto operator()(const How& how, R&& range, std::ranges::iterator_t<R> middle) const {
    const auto first = std::ranges::begin(range);
    return unless_dangling<R>(
        [&] { return (*this)(how, first, middle, advance(first, count_of(range))); });
  }
  template <std::random_access_iterator It, std::sized_sentinel_for<It> End>
  It operator()(It first, It middle, End last) const {
    return (*this)(settings{}, first, middle, last);
  }
  template <input_range R>
  auto operator()(R&& range, std::ranges::iterator_t<R> middle) const {
    return (*this)(settings{}, std::forward<R>(range), middle);
  }
};

}  // namespace algo

/// `reverse(range)`: swaps the first element with the last, and so on. Returns the end.
///
/// Cost: work n / 2 swaps, span O(log n) joins plus a leaf; no allocation. Plain memory is not
/// timed, so a short range costs a loop.
/// Throws: what a swap throws, of the lowest chunk. The range then holds all its elements in some
/// order, except one that a throwing swap had in hand.
/// Blocks, threads: as `parallel_for`.
inline constexpr algo::explained<algo::reverse_fn> reverse{};

/// `rotate(range, middle)`, `rotate(first, middle, last)`: brings the elements from `middle` on to
/// the front. Returns, as `std::rotate`, the new place of the element that was first.
///
/// Cost: work n swaps, span O(log n) joins plus a leaf; in place, no allocation. Otherwise as
/// `reverse`.
/// Source: three reversals, as in Bentley, "Programming Pearls", column 2: as many swaps as moving
/// along the cycles, but in chunks.
inline constexpr algo::explained<algo::rotate_fn> rotate{};

}  // namespace filch
