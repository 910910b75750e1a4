#pragma once
// Repairs plain elements that are nearly in order.
#include <filch/algo/sorting/order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2::algo::sorting {

/// Plain elements of which some have been set aside. The kept ones lie in front of a gap, which has
/// as many places as are aside. So all go back, however this ends.
///
/// Which of two neighbors is out of place is a guess: the latter, unless it fits behind the one
/// before the former. The guess is wrong if several in a row are too great: it would set aside all
/// that follow. So after `suspicious` of them it sets aside the last ones kept instead, if these
/// are no more. Otherwise the others are out of place.
///
/// Source: Cook and Kim, "Best sorting algorithm for nearly sorted lists", CACM 1980; the guess and
/// its doubt: Emil Ernerfeldt, drop-merge sort. We differ: as many are set aside as the stack has
/// room for, or none, and nothing is allocated.
template <class T>
class set_aside {
 public:
  static constexpr std::uint64_t most = 8192 / sizeof(T);

  explicit set_aside(T* first) noexcept : first_{first}, kept_end_{first}, gap_end_{first} {}
  set_aside(const set_aside&) = delete;
  set_aside& operator=(const set_aside&) = delete;
  ~set_aside() { std::copy_n(begin(), count(), kept_end_); }

  T* begin() noexcept { return static_cast<T*>(static_cast<void*>(memory_)); }
  std::uint64_t count() const noexcept { return static_cast<std::uint64_t>(gap_end_ - kept_end_); }

  /// Goes through `items` elements and sets aside those that disturb the order of the rest. Returns
  /// whether there was room.
  template <class Less>
  bool keep_what_is_ordered(std::uint64_t items, Less less) {
    T* const last = first_ + items;
    kept_end_ = gap_end_ = first_ + 1;
    for (std::ptrdiff_t in_a_row = 0; gap_end_ != last;) {
      if (!less(*gap_end_, kept_end_[-1])) {
        *kept_end_++ = *gap_end_++;
        in_a_row = 0;
        continue;
      }
      if (count() == most) return false;
      // The one before it was too great
      if (kept_end_ - first_ == 1 || !less(*gap_end_, kept_end_[-2])) {
        begin()[count()] = kept_end_[-1];
        kept_end_[-1] = *gap_end_++;
        in_a_row = 0;
        continue;
      }
      begin()[count()] = *gap_end_;
      ++gap_end_;
      if (++in_a_row < suspicious) continue;
      doubt_the_last_ones(less);
      in_a_row = 0;
    }
    return true;
  }

  /// Merges the set-aside elements, sorted by now, with the kept ones.
  template <class Less>
  void merge(Less less) {
    while (count() > 0 && kept_end_ != first_) {
      T& greatest = begin()[count() - 1];
      if (less(greatest, kept_end_[-1])) {
        *--gap_end_ = *--kept_end_;
      } else {
        *--gap_end_ = greatest;
      }
    }
  }

 private:
  static constexpr std::ptrdiff_t suspicious = 16;

  /// `suspicious` elements in a row were less than the last ones kept. If these are no more than
  /// that, they are too great: sets them aside, and has the others examined again.
  template <class Less>
  void doubt_the_last_ones(Less less) {
    T greatest = *std::max_element(gap_end_ - suspicious, gap_end_, less);
    T* doubted = kept_end_;
    while (doubted - first_ > 1 && kept_end_ - doubted <= suspicious && less(greatest, doubted[-1]))
      --doubted;
    if (doubted == kept_end_ || kept_end_ - doubted > suspicious) return;
    gap_end_ -= suspicious;  // nothing was kept since, so they are still there
    while (kept_end_ != doubted) {
      begin()[count()] = kept_end_[-1];
      --kept_end_;
    }
  }

  T* const first_;
  T* kept_end_;
  T* gap_end_;
  alignas(T) std::byte memory_[most * sizeof(T)];
};

/// Sorts plain elements that are nearly in order: sorts the disturbing ones by `sort(first, count)`
/// and merges them with the rest. Returns whether there were few enough; if not, the elements are
/// in some order.
template <class T, class Less, class Sort>
[[gnu::noinline]] bool repair(T* first, std::uint64_t count, const Less& less, const Sort& sort) {
  set_aside<T> disturbing(first);
  if (!disturbing.keep_what_is_ordered(count, less)) return false;
  sort(disturbing.begin(), disturbing.count());
  disturbing.merge(less);
  return true;
}

}  // namespace filch::algo::sorting
