#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/sorting/quicksort.hpp>

namespace filch::inline v0_2 {
namespace algo {

struct sort_fn : algorithm<sort_fn> {
  template <std::random_access_iterator It, class Comp = std::ranges::less,
            class Proj = std::identity>
  requires std::sortable<It, Comp, Proj>
  static It run(const settings& how, It first, std::uint64_t count, Comp comp = {},
                Proj proj = {}) {
    check_writable<It>();
    sorting::sort_unstably(how, first, count, sorting::order(comp, proj));
    return first + static_cast<std::iter_difference_t<It>>(count);
  }
};

}  // namespace algo

/// Sorts a range by `comp` on what `proj` makes of the elements, and returns its end. Equal
/// elements may change their order. If `comp` is no strict weak order, as among numbers with a NaN,
/// the range has all its elements in some order.
///
/// Cost: work O(n log n), also at worst; span O(n / P + log^2 n) for P workers; O(n log k) for k
/// different elements, O(n) for elements in order or in reverse. O(log n) stack; no allocation.
/// Blocks: as `join`: runs only parts of this sort, so a lock may be held.
/// Threads: any. Several threads at once call `comp` and `proj`.
/// Throws: what `comp`, `proj` or moving an element throws, and `stopped`. The range then holds all
/// its elements in some order, except one that a throwing move had in hand. Proxies: as
/// `std::ranges::sort`. But several threads cannot write elements that share a word, as in
/// `std::vector<bool>`.
/// Source: filch/algo/sorting/quicksort.hpp.
inline constexpr algo::comparing<algo::sort_fn> sort;

}  // namespace filch
