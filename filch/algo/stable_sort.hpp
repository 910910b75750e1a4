#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/sorting/merge_sort.hpp>
#include <filch/algo/sorting/pivot.hpp>
#include <filch/algo/sorting/sorted_prefix.hpp>

namespace filch::inline v0_2 {
namespace algo {

struct stable_sort_fn : algorithm<stable_sort_fn> {
  template <std::random_access_iterator It, class Comp = std::ranges::less,
            class Proj = std::identity>
  requires std::sortable<It, Comp, Proj>
  static It run(const settings& how, It first, std::uint64_t count, Comp comp = {},
                Proj proj = {}) {
    check_writable<It>();
    const sorting::order less(comp, proj);
    const auto from = sorting::plain_iterator(first);
    if (!is_in_order(how, from, count, less)) sorting::sort_stably(how, from, count, less);
    return first + static_cast<std::iter_difference_t<It>>(count);
  }

 private:
  template <class It, class Less>
  static bool is_in_order(const settings& how, It first, std::uint64_t count, const Less& less) {
    return count >= sorting::least_count_to_probe &&
           sorting::probe_arrangement(first, count, less) == sorting::arrangement::ascending &&
           sorting::sorted_prefix(how, first, count, less) == count;
  }
};

}  // namespace algo

/// Sorts a range as `sort` does; equal elements keep their order.
///
/// Cost: work O(n log n), O(n) for elements in order; span O(log^3 n). One allocation for n
/// elements, none for a few.
/// Blocks, threads, proxies: as `sort`.
/// Throws: what `comp`, `proj` or moving an element throws, `std::bad_alloc` and `stopped`. The
/// range then holds all its elements in some order, except one that a throwing move had in hand.
/// Source: Cormen et al., Introduction to Algorithms, 26.3, with ranks instead of medians, and
/// leaves without branches.
inline constexpr algo::comparing<algo::stable_sort_fn> stable_sort;

}  // namespace filch
