#pragma once
// What quicksort learns from a few elements before it touches the rest: by which one to divide, and
// whether there already is an order.
#include <filch/algo/sorting/order.hpp>
#include <filch/base/rng.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace filch::inline v0_2::algo::sorting {

template <class It, class Less>
It median_of_three(It a, It b, It c, const Less& less) {
  const bool is_ab = less(*a, *b);
  if (is_ab != less(*a, *c)) return a;
  return is_ab == less(*b, *c) ? b : c;
}

/// The median of three medians of three ... of 3^depth elements, `step` apart.
template <class It, class Less>
It median_of_medians(It first, std::uint64_t step, unsigned depth, const Less& less) {
  if (depth == 0) return first;
  auto apart = static_cast<std::iter_difference_t<It>>(step);
  for (unsigned i = 1; i < depth; ++i) apart *= 3;
  const auto median_from = [&](It from) { return median_of_medians(from, step, depth - 1, less); };
  return median_of_three(median_from(first), median_from(first + apart),
                         median_from(first + 2 * apart), less);
}

/// A place below `step` for the first of equidistant samples. Scattered, so that a regular pattern
/// in the input does not meet it each time.
inline std::uint64_t sample_start(std::uint64_t count, std::uint64_t step) noexcept {
  return base::below(base::split_mix64{count}(),
                     static_cast<std::uint32_t>(std::min<std::uint64_t>(step, ~std::uint32_t{0})));
}

/// An element near the median: of 3 samples for few elements, of 243 above a million.
template <class It, class Less>
It choose_pivot(It first, std::uint64_t count, const Less& less) {
  constexpr std::uint64_t powers_of_three[] = {1, 3, 9, 27, 81, 243};
  const unsigned depth = (std::min)(static_cast<unsigned>(std::bit_width(count)) / 4, 5u);
  const std::uint64_t step = count / powers_of_three[depth];
  return median_of_medians(
      first + static_cast<std::iter_difference_t<It>>(sample_start(count, step)), step, depth,
      less);
}

/// What neighbors tell about the whole.
enum class arrangement { none, ascending, descending };

inline constexpr std::uint64_t least_count_to_probe = 8192;  // so that probing costs less than 1 %

/// Compares 64 pairs of neighbors, for `least_count_to_probe` elements or more.
template <class It, class Less>
arrangement probe_arrangement(It first, std::uint64_t count, const Less& less) {
  constexpr unsigned probes = 64, tolerated = 8;  // as many descents as one swap in 30 makes
  const std::uint64_t step = (count - 1) / probes;
  const std::uint64_t start = sample_start(count, step);
  unsigned rises = 0, falls = 0;
  for (unsigned i = 0; i < probes; ++i) {
    const It at = first + static_cast<std::iter_difference_t<It>>(start + i * step);
    rises += less(*at, *(at + 1));
    falls += less(*(at + 1), *at);
  }
  if (falls <= tolerated) return arrangement::ascending;
  return rises <= tolerated ? arrangement::descending : arrangement::none;
}

}  // namespace filch::algo::sorting
