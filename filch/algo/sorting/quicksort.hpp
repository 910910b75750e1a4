#pragma once
#include <filch/algo/failure.hpp>
#include <filch/algo/sorting/divide.hpp>
#include <filch/algo/sorting/divide_in_chunks.hpp>
#include <filch/algo/sorting/numbers.hpp>
#include <filch/algo/sorting/pivot.hpp>
#include <filch/algo/sorting/repair.hpp>
#include <filch/algo/sorting/small_sort.hpp>
#include <filch/algo/sorting/sorted_prefix.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace filch::inline v0_2::algo::sorting {

/// Sorts ranges that lie in one whole. Not stable.
///
/// Cost: work O(n log n), also at worst; O(n log k) for k different elements, O(n) for elements in
/// order or in reverse. Span O(n / P + log^2 n) for P workers, since ranges longer than n / 4 P are
/// divided in chunks. O(log n) stack, no allocation.
/// Source: Peters, "Pattern-defeating Quicksort", 2021: elements equal to the pivot before are set
/// apart, heap sort after too many bad pivots. We differ: a sample finds order and chooses the
/// fastest way to divide; pivots are medians of larger samples at random places, so nothing has to
/// be shuffled; several workers divide long ranges; nearly sorted ranges are repaired.
template <class It, class Less>
class quicksort {
 public:
  /// For ranges of at most `count` elements together.
  quicksort(const settings& how, Less less, std::uint64_t count)
      : how_{how},
        less_{less},
        workers_{count < least_chunk ? 1 : workers_of(how)},
        divided_serially_{count / (4 * workers_)} {}

  void sort(It first, std::uint64_t count) { sort(whole(first, count, 0)); }

  /// Brings the element that belongs at `nth` there: none before it is greater, none behind it is
  /// less. Cost: O(n) expected.
  void select(It first, std::uint64_t count, It nth) {
    divided_serially_ = 0;
    select(whole(first, count, 0), nth);
  }

 private:
  // If few elements move, insertion sort is faster than two divisions
  static constexpr std::uint64_t few_in_order = 128;
  // Longer ranges have more elements out of order than `set_aside` takes
  static constexpr std::uint64_t mended_at_most = 1u << 16;
  static constexpr std::uint64_t least_forked = 512;  // some microseconds of work
  // So that the fixed cost of a chunk does not matter
  static constexpr std::uint64_t least_chunk = 1u << 14;

  struct range {
    It first;
    std::uint64_t count;
    std::uint64_t at;  ///< How many elements of the whole are before it.
    unsigned bad_pivots_allowed;
    bool has_before = false;   ///< The element before `first` is a pivot: none here is less.
    bool is_ordered = false;   ///< Most neighbors are in order.
    std::uint64_t middle = 0;  ///< How many elements are expected to be less than the pivot.
  };

  enum class left_of_pivot { lesser, not_greater };

  static range whole(It first, std::uint64_t count, std::uint64_t at) {
    return {first, count, at, static_cast<unsigned>(std::bit_width(count))};
  }
  /// Assumes many workers if chunks must not depend on their number, or must be short enough to
  /// check for a stop between them.
  static unsigned workers_of(const settings& how) {
    return how.is_deterministic || how.stop.stop_possible()
               ? most_chunks / 4
               : sched::lasting_pool_here().concurrency();
  }

  static It advanced(It first, std::uint64_t count) {
    return first + static_cast<std::iter_difference_t<It>>(count);
  }

  void sort(const range& here) {
    failed_.watch(here.at, [&] { sort_watched(here); });
  }
  void sort_watched(range here) {
    while (here.count > (here.is_ordered ? few_in_order : few<It>)) {
      if (here.count >= least_forked) check_stop(here);
      if (here.count >= least_count_to_probe && use_arrangement(here)) return;
      if (here.is_ordered && here.count <= mended_at_most && repair(here)) return;
      if (here.bad_pivots_allowed == 0) return heap_sort(here.first, here.count, less_);
      bring_pivot(here);
      if (here.has_before && !less_(*(here.first - 1), *here.first)) {
        set_equal_apart(here);
        continue;
      }
      range right = divide_by_pivot(here);
      if (here.count + right.count >= least_forked) {
        join_within(
            how_, [this, here] { sort(here); }, [this, right] { sort(right); });
        return;
      }
      sort(here);
      here = right;
    }
    if (here.is_ordered) {
      insertion_sort(here.first, here.count, less_);
    } else {
      sort_few<ties::free>(here.first, here.count, less_);
    }
  }

  void check_stop(const range& here) const {
    how_.check_stop();
    failed_.check(here.at);
  }

  void select(range here, It nth) {
    while (here.count > few<It>) {
      if (here.count >= least_forked) check_stop(here);
      if (here.bad_pivots_allowed == 0) return heap_sort(here.first, here.count, less_);
      bring_pivot(here);
      if (here.has_before && !less_(*(here.first - 1), *here.first)) {
        set_equal_apart(here);
        if (nth < here.first) return;
        continue;
      }
      const range right = divide_by_pivot(here);
      if (nth == right.first - 1) return;
      if (nth >= right.first) here = right;
    }
    sort_few<ties::free>(here.first, here.count, less_);
  }

  /// Checks whether the elements are nearly in order, or in reverse, and repairs that. Returns
  /// whether they are sorted.
  bool use_arrangement(range& here) {
    const arrangement found = probe_arrangement(here.first, here.count, less_);
    here.is_ordered = found != arrangement::none;
    if (found == arrangement::descending) reverse(here);
    return here.is_ordered && sorted_prefix(how_, here.first, here.count, less_) == here.count;
  }
  /// Repairs elements that are nearly in order. Returns whether they were near enough.
  bool repair(const range& here) {
    if constexpr (is_plain<It>) {
      return sorting::repair(here.first, here.count, less_, [&](It first, std::uint64_t count) {
        sort(whole(first, count, here.at));
      });
    } else {
      return false;
    }
  }
  void reverse(const range& here) {
    for_chunks(how_, here.count / 2, [&](std::uint64_t from, std::uint64_t to) {
      for (; from != to; ++from)
        std::ranges::iter_swap(advanced(here.first, from),
                               advanced(here.first, here.count - 1 - from));
    });
  }

  /// Brings a pivot to the front.
  void bring_pivot(range& here) {
    const It pivot = choose_pivot(here.first, here.count, less_);
    here.middle = here.is_ordered ? static_cast<std::uint64_t>(pivot - here.first) : here.count / 2;
    swap_unless_same(here.first, pivot);
  }

  /// The pivot, at the front, equals the one before `here`, and so do all elements that are not
  /// greater. Leaves the greater ones in `here`.
  void set_equal_apart(range& here) {
    const std::uint64_t equal = divide_rest(here, left_of_pivot::not_greater);
    here.first = advanced(here.first, equal + 1);
    here.at += equal + 1;
    here.count -= equal + 1;
  }

  /// Divides by the pivot at the front. Leaves the lesser elements in `here` and returns the
  /// others; the pivot is between them.
  range divide_by_pivot(range& here) {
    const std::uint64_t left = divide_rest(here, left_of_pivot::lesser);
    swap_unless_same(here.first, advanced(here.first, left));
    range right = here;
    right.first = advanced(here.first, left + 1);
    right.at += left + 1;
    right.count -= left + 1;
    right.has_before = true;
    here.count = left;
    if ((std::min)(left, right.count) < (left + right.count) / 8) {
      --here.bad_pivots_allowed;
      --right.bad_pivots_allowed;
    }
    return right;
  }

  /// Divides all but the first element, the pivot.
  std::uint64_t divide_rest(const range& here, left_of_pivot kind) {
    const std::uint64_t count = here.count - 1;
    // One type for both kinds, so that the parallel code is compiled once.
    const auto divide_chunk = [this, here, kind](It first, std::uint64_t items, It beyond,
                                                 std::uint64_t more) {
      const auto divide_by = [&](auto goes_left) {
        return here.is_ordered ? divide_by_swapping(first, items, beyond, more, goes_left)
                               : divide(first, items, beyond, more, goes_left);
      };
      return kind == left_of_pivot::lesser
                 ? divide_by(beside(here.first,
                                    [less = less_](auto&& pivot, auto&& element) {
                                      return less(element, pivot);
                                    }))
                 : divide_by(beside(here.first, [less = less_](auto&& pivot, auto&& element) {
                     return !less(pivot, element);
                   }));
    };
    if (workers_ == 1 || count <= divided_serially_ || count < 2 * least_chunk) {
      const std::uint64_t half = here.is_ordered ? count - count / 2 : count;
      return divide_chunk(here.first + 1, half, advanced(here.first + 1, half), count - half);
    }
    const auto chunks = static_cast<unsigned>(
        std::min<std::uint64_t>({most_chunks, 4 * workers_, count / least_chunk}));
    return divide_in_chunks(how_, here.first + 1, count, here.middle, chunks, divide_chunk);
  }
  /// Calls `goes_left(pivot, element)` for an element.
  template <class GoesLeft>
  static auto beside(It pivot, GoesLeft goes_left) {
    if constexpr (is_plain<It>) {
      return
          [value = *pivot, goes_left](auto& element) mutable { return goes_left(value, element); };
    } else {
      return [pivot, goes_left](auto&& element) { return goes_left(*pivot, element); };
    }
  }

  const settings& how_;
  const Less less_;
  std::uint64_t workers_;
  failure failed_;
  /// One worker divides shorter ranges, since there are then enough others for the rest.
  std::uint64_t divided_serially_;
};

/// Sorts a range, not stably. Cost: as `quicksort`.
template <class It, class Less>
void sort_unstably(const settings& how, It first, std::uint64_t count, const Less& less) {
  const auto from = plain_iterator(first);
  using iterator = std::remove_const_t<decltype(from)>;
  if constexpr (std::is_pointer_v<iterator> && is_usual_order<Less, std::iter_value_t<It>>) {
    sort_numbers(how, from, count);
  } else {
    quicksort<iterator, Less>(how, less, count).sort(from, count);
  }
}

/// Brings the element that belongs at `place`, below `count`, there. Cost: as `quicksort::select`.
template <class It, class Less>
void select(const settings& how, It first, std::uint64_t count, std::uint64_t place,
            const Less& less) {
  const auto from = plain_iterator(first);
  using iterator = std::remove_const_t<decltype(from)>;
  quicksort<iterator, Less>(how, less, count)
      .select(from, count, from + static_cast<std::iter_difference_t<iterator>>(place));
}

}  // namespace filch::algo::sorting
