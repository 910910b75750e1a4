#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/sorting/quicksort.hpp>

namespace filch::inline v0_2 {
namespace algo {

/// The arguments of both algorithms: a range and a place in it, or, as in `std::ranges`, begin,
/// place and end. Of the two distances from the begin, the shorter one is the place.
template <class It>
struct place_in_range {
  It first;
  std::uint64_t count, place;

  place_in_range(It begin, std::uint64_t one, const auto& other)
      : first{begin},
        count{(std::max)(one, count_of(begin, other))},
        place{(std::min)(one, count_of(begin, other))} {}
  It at(std::uint64_t index) const {
    return first + static_cast<std::iter_difference_t<It>>(index);
  }
};

struct nth_element_fn : algorithm<nth_element_fn> {
  template <std::random_access_iterator It, end_of<It> Other, class Comp = std::ranges::less,
            class Proj = std::identity>
  requires std::sortable<It, Comp, Proj>
  static It run(const settings& how, It first, std::uint64_t count, Other other, Comp comp = {},
                Proj proj = {}) {
    check_writable<It>();
    const place_in_range<It> all(first, count, other);
    if (all.place < all.count)
      sorting::select(how, first, all.count, all.place, sorting::order(comp, proj));
    return all.at(all.count);
  }
};

struct partial_sort_fn : algorithm<partial_sort_fn> {
  template <std::random_access_iterator It, end_of<It> Other, class Comp = std::ranges::less,
            class Proj = std::identity>
  requires std::sortable<It, Comp, Proj>
  static It run(const settings& how, It first, std::uint64_t count, Other other, Comp comp = {},
                Proj proj = {}) {
    check_writable<It>();
    const place_in_range<It> all(first, count, other);
    const sorting::order less(comp, proj);
    if (0 < all.place && all.place < all.count)
      sorting::select(how, first, all.count, all.place, less);
    sorting::sort_unstably(how, first, all.place, less);
    return all.at(all.count);
  }
};

}  // namespace algo

/// `nth_element(range, nth)` or `nth_element(first, nth, last)`: brings the element that belongs at
/// `nth` there. No element before it is greater, and none behind it is less. Returns the end. As
/// `std::ranges::nth_element`.
///
/// Cost: work O(n) expected, O(n log n) at worst; span O(n / P + log^2 n) expected; no allocation.
/// Blocks, threads, throws, proxies: as `sort`.
/// Source: Hoare, "Algorithm 65: find", CACM 1961, with the pivots and divisions of
/// sorting/quicksort.hpp.
inline constexpr algo::comparing<algo::nth_element_fn> nth_element;

/// `partial_sort(range, middle)` or `partial_sort(first, middle, last)`: brings the least elements
/// before `middle`, sorted. Returns the end. As `std::ranges::partial_sort`.
///
/// Cost: work O(n + k log k) expected for k elements before `middle`, span O((n + k) / P + log^2 n)
/// expected: `nth_element`, then `sort` of these elements; no allocation.
/// Blocks, threads, throws, proxies: as `sort`.
inline constexpr algo::comparing<algo::partial_sort_fn> partial_sort;

}  // namespace filch
