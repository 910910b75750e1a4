#pragma once
#include <filch/algo/algorithm.hpp>
#include <filch/algo/braces.hpp>
#include <filch/algo/plain_memory.hpp>
#include <filch/algo/sorting/order.hpp>
#include <filch/algo/sorting/sorted_prefix.hpp>

namespace filch::inline v0_2 {
namespace algo {

struct is_sorted_until_fn : algorithm<is_sorted_until_fn> {
  template <std::random_access_iterator It, class Comp = std::ranges::less,
            class Proj = std::identity>
  requires std::indirect_strict_weak_order<Comp, std::projected<It, Proj>>
  static It run(const settings& how, It first, std::uint64_t count, Comp comp = {},
                Proj proj = {}) {
    const std::uint64_t sorted = sorting::sorted_prefix(for_comparing<It, Comp, Proj>(how), first,
                                                        count, sorting::order(comp, proj));
    return first + static_cast<std::iter_difference_t<It>>(sorted);
  }
};

struct is_sorted_fn : algorithm<is_sorted_fn> {
  template <std::random_access_iterator It, class Comp = std::ranges::less,
            class Proj = std::identity>
  requires std::indirect_strict_weak_order<Comp, std::projected<It, Proj>>
  static bool run(const settings& how, It first, std::uint64_t count, Comp comp = {},
                  Proj proj = {}) {
    return sorting::sorted_prefix(for_comparing<It, Comp, Proj>(how), first, count,
                                  sorting::order(comp, proj)) == count;
  }
};

}  // namespace algo

/// Returns the first element that is less than the one before it, or the end. As
/// `std::ranges::is_sorted_until`.
///
/// Cost: work O(n). If the order ends early, only chunks that have begun are finished. Span O(log
/// n) joins plus a leaf. Space: O(log n) stack; no allocation.
/// Blocks, threads: as `parallel_for`.
/// Throws: what `comp` or `proj` throws, and `stopped`.
inline constexpr algo::comparing<algo::is_sorted_until_fn> is_sorted_until;

/// Whether no element is less than the one before it. Otherwise as `is_sorted_until`.
inline constexpr algo::comparing<algo::is_sorted_fn> is_sorted;

}  // namespace filch
