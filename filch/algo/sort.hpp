#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/sorting/quicksort.hpp>

namespace filch {
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
/// elements may change their order. Where `comp` is no strict weak order, as among numbers one of
/// which is NaN, all elements are left, in some order.
///
/// Cost: work O(n log n), also at worst; span O(n / P + log^2 n) for P workers; O(n log k) for k
/// different elements, O(n) for elements in order
///          or in reverse. O(log n) stack; nothing is allocated.
/// Blocks:  as `join`: runs only parts of this sort, so a lock may be held.
/// Threads: any. `comp` and `proj` are called by several at once.
/// Throws: what `comp`, `proj` or moving an element throws, and `stopped`. The range then holds all
/// its elements in some order,
///          but one that a move which threw had in hand.
/// Proxies: as std::ranges::sort; but elements that share a word, as those of std::vector<bool>,
/// cannot be written by several at once.
/// Source:  filch/algo/sorting/quicksort.hpp.
inline constexpr algo::comparing<algo::sort_fn> sort;

}  // namespace filch
