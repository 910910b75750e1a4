#pragma once
// Merges two sorted runs, possibly on several workers. `merge` consists of it, and each step of
// `stable_sort`.
#include <filch/algo/every_chunk.hpp>
#include <filch/algo/sorting/small_sort.hpp>

#include <cstdint>
#include <iterator>

namespace filch::inline v0_2::algo::sorting {

/// How an element gets from a run to its new place.
struct by_copying {
  static constexpr bool leaves_elements = true;
  template <class It, class Out>
  static void transfer(It from, Out to) {
    *to = *from;
  }
};
struct by_moving {
  static constexpr bool leaves_elements = false;  ///< So all must arrive in any case.
  template <class It, class Out>
  static void transfer(It from, Out to) {
    *to = std::ranges::iter_move(from);
  }
};

/// A range, as kernels pass it on.
template <class It>
struct run {
  It first;
  std::uint64_t count;

  It at(std::uint64_t index) const {
    return first + static_cast<std::iter_difference_t<It>>(index);
  }
  It end() const { return at(count); }
  run front(std::uint64_t items) const { return {first, items}; }
  run back_from(std::uint64_t items) const { return {at(items), count - items}; }
};

template <class It>
run(It, std::uint64_t) -> run<It>;  // clang 14 has none for aggregates

/// Transfers a run to `out`. Returns where it ends there. A move that throws loses at most its own
/// element: the others arrive.
template <class Transfer, class It, class Out>
Out transfer_run(const run<It>& from, Out out) {
  if constexpr (!Transfer::leaves_elements && !moves_quietly<It, Out>)
    return move_each(from.first, from.end(), out);
  for (It at = from.first, end = from.end(); at != end; ++at, ++out) Transfer::transfer(at, out);
  return out;
}

/// How many of the first `rank` elements of the merged runs come from `left`.
/// `is_less(right element, left element)`.
///
/// Cost: O(log n).
/// Source: Deo, Jain and Medidi, "An optimal parallel algorithm for merging using multiselection",
/// IPL 1994.
template <class I1, class I2, class Less>
std::uint64_t left_share(const run<I1>& left, const run<I2>& right, std::uint64_t rank,
                         const Less& is_less) {
  std::uint64_t least = rank > right.count ? rank - right.count : 0,
                most = (std::min)(rank, left.count);
  while (least < most) {
    const std::uint64_t tried = least + (most - least) / 2;
    if (is_less(*right.at(rank - tried - 1), *left.at(tried))) {
      most = tried;
    } else {
      least = tried + 1;
    }
  }
  return least;
}

/// Merges two runs without dividing them. If a comparison throws, all elements that are moved are
/// in `out` nevertheless.
template <class Transfer, class I1, class I2, class Out, class Less>
void merge_serially(run<I1> left, run<I2> right, Out out, const Less& is_less) {
  const auto transfer_rest = [&] {
    transfer_run<Transfer>(right, transfer_run<Transfer>(left, out));
  };
  const auto transfer_first = [&out](auto& from) {
    Transfer::transfer(from.first, out);
    ++from.first;
    --from.count;
    ++out;
  };
  FILCH_TRY {
    if constexpr (is_plain<I1> && is_plain<Out> && std::same_as<I1, I2> &&
                  std::same_as<std::iter_value_t<I1>, std::iter_value_t<Out>>) {
      merge_from_both_ends(left.first, left.end(), right.first, right.end(), out, is_less);
      return;
    }
    while (left.count > 0 && right.count > 0) {
      if (is_less(*right.first, *left.first)) {
        transfer_first(right);
      } else {
        transfer_first(left);
      }
    }
  }
  FILCH_CATCH_ALL {
    if constexpr (!Transfer::leaves_elements) transfer_rest();
    FILCH_RETHROW;
  }
  transfer_rest();
}

// So long that the search does not matter
inline constexpr std::uint64_t merged_serially_at_most = 4096;

/// What a merge checks before each range: a stop request, and whether an earlier range has failed.
struct merge_checks {
  const settings& how;
  failure& failed;
};

/// Merges two runs into `out`, which overlaps neither and lies at the place `at` of the whole. Of
/// equal elements those of `left` come first. `is_less(right element, left element)`.
///
/// Cost: work O(n), span O(log^2 n); no allocation. If an exception or a stop ends it early, all
/// elements are moved nevertheless, unmerged. If elements are copied, ranges that have not begun do
/// not arrive.
template <class Transfer, class I1, class I2, class Out, class Less>
void merge_runs(merge_checks checks, std::uint64_t at, run<I1> left, run<I2> right, Out out,
                const Less& is_less) {
  const std::uint64_t count = left.count + right.count, half = count / 2;
  const bool is_short = count <= merged_serially_at_most;
  std::uint64_t share = 0;
  FILCH_TRY {
    checks.how.check_stop();
    checks.failed.check(at);
    if (!is_short)
      share = checks.failed.watch(at, [&] { return left_share(left, right, half, is_less); });
  }
  FILCH_CATCH_ALL {
    if constexpr (!Transfer::leaves_elements)
      transfer_run<Transfer>(right, transfer_run<Transfer>(left, out));
    FILCH_RETHROW;
  }
  if (is_short)
    return checks.failed.watch(at, [&] { merge_serially<Transfer>(left, right, out, is_less); });
  const auto merge_front = [&] {
    merge_runs<Transfer>(checks, at, left.front(share), right.front(half - share), out, is_less);
  };
  const auto merge_back = [&] {
    merge_runs<Transfer>(checks, at + half, left.back_from(share), right.back_from(half - share),
                         out + static_cast<std::iter_difference_t<Out>>(half), is_less);
  };
  if constexpr (Transfer::leaves_elements) {
    join_within(checks.how, merge_front, merge_back);
  } else {
    join_both(checks.how, merge_front, merge_back);
  }
}

}  // namespace filch::algo::sorting
