#pragma once
// Sorts a few elements: the base cases of quicksort and merge sort.
#include <filch/algo/sorting/order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2::algo::sorting {

/// Stable. Cost: one comparison an element if they are already in order, O(n^2) at worst.
template <class It, class Less>
void insertion_sort(It first, std::uint64_t count, const Less& less) {
  const It last = first + static_cast<std::iter_difference_t<It>>(count);
  if (first == last) return;
  for (It at = first + 1; at != last; ++at) {
    It before = at - 1;
    if (!less(*at, *before)) continue;
    in_hand<It> element(at);
    for (;;) {
      element.fill_from(before);
      if (before == first || !less(element.value(), *(before - 1))) break;
      --before;
    }
    element.put_down();
  }
}

/// Returns the second of two places if `is_second`, written so that no compiler makes a branch of
/// it. Which form achieves that was found by inspection.
template <class T>
[[gnu::always_inline]] inline T* choose(T* first, T* second, bool is_second) noexcept {
#if defined(__clang__)
  if constexpr (std::is_class_v<T>) {
    T* const both[] = {first, second};
    return both[is_second];
  }
  return is_second ? second : first;
#else
  const auto one = reinterpret_cast<std::uintptr_t>(first),
             other = reinterpret_cast<std::uintptr_t>(second);
  // They may lie in different arrays
  return reinterpret_cast<T*>(one + ((other - one) & -std::uintptr_t{is_second}));
#endif
}

/// Swaps two plain elements if the second is less; no branch depends on it.
template <class T, class Less>
[[gnu::always_inline]] inline void put_in_order(T* a, T* b, const Less& less) {
  const bool is_wrong = less(*b, *a);
  const T low = *choose(a, b, is_wrong);
  *b = *choose(b, a, is_wrong);
  *a = low;
}

/// Sorts four elements by five exchanges. Source: Knuth, TAOCP 3, 5.3.4.
template <class T, class Less>
[[gnu::always_inline]] inline void sort_four(T* v, const Less& less) {
  put_in_order(v + 0, v + 1, less);
  put_in_order(v + 2, v + 3, less);
  put_in_order(v + 0, v + 2, less);
  put_in_order(v + 1, v + 3, less);
  put_in_order(v + 1, v + 2, less);
}

/// Merges the sorted runs [left, left_end) and [right, right_end) of plain elements into `out`,
/// stably. It merges from both ends at once, which gives two independent chains of loads, and does
/// not branch on comparisons. `is_less(right one, left one)`. Even if the comparison is no order,
/// reads and writes stay inside, and each element is in `out` once. `out` overlaps neither run.
template <class T, class U, class Less>
[[gnu::always_inline]] inline void merge_from_both_ends(T* left, T* left_end, T* right,
                                                        T* right_end, U* out, const Less& is_less) {
  const auto unmerged = [left, left_end, right, right_end, out] {
    std::copy(right, right_end, std::copy(left, left_end, out));
  };
  U* out_end = out + (left_end - left) + (right_end - right);
  while (left < left_end && right < right_end) {
    // Neither run can end within that many steps from either end.
    for (auto steps = (std::min)(left_end - left, right_end - right); steps > 0; --steps) {
      const bool is_right = is_less(*right, *left);
      *out++ = *choose(left, right, is_right);
      right += is_right;
      left += !is_right;
      const bool is_left = is_less(*(right_end - 1), *(left_end - 1));
      *--out_end = choose(right_end, left_end, is_left)[-1];
      left_end -= is_left;
      right_end -= !is_left;
    }
  }
  // Only if `is_less` is no order, as with NaN
  const bool have_crossed = left > left_end || right > right_end;
  if (have_crossed) return unmerged();
  std::copy_n(left < left_end ? left : right, out_end - out, out);
}

inline constexpr std::uint64_t merged_at_most = 32;  // 16 makes a whole sort 4 % slower

/// Whether equal elements keep their order.
enum class ties { kept, free };

/// Sorts plain elements, at most `merged_at_most`. It first sorts fours by exchanges, or pairs if
/// equal elements must keep their order, then merges between their place and a buffer on the stack.
template <ties Ties, class T, class Less>
void merge_few(T* first, std::uint64_t count, const Less& less) {
  constexpr std::uint64_t start = Ties == ties::free ? 4 : 2;
  std::uint64_t sorted = 0;
  for (; sorted + start <= count; sorted += start) {
    if constexpr (Ties == ties::free) {
      sort_four(first + sorted, less);
    } else {
      put_in_order(first + sorted, first + sorted + 1, less);
    }
  }
  insertion_sort(first + sorted, count - sorted, less);

  alignas(T) std::byte memory[merged_at_most * sizeof(T)];
  struct all_in {  // brings the elements home, however the merging ends
    T* home;
    std::uint64_t count;
    T* place = home;
    ~all_in() {
      if (place != home) std::copy_n(place, count, home);
    }
  } elements{first, count};
  T* other = static_cast<T*>(static_cast<void*>(memory));
  for (std::uint64_t width = start; width < count; width *= 2) {
    for (std::uint64_t at = 0; at < count; at += 2 * width) {
      T *const left = elements.place + at, *const right =
                                               elements.place + (std::min)(at + width, count);
      merge_from_both_ends(left, right, right, elements.place + (std::min)(at + 2 * width, count),
                           other + at, less);
    }
    std::swap(elements.place, other);
  }
}

/// Up to this many elements are sorted by `sort_few` instead of divided.
template <class It>
inline constexpr std::uint64_t few = is_plain<It> ? merged_at_most : 16;

/// Sorts at most `few` elements.
template <ties Ties, class It, class Less>
void sort_few(It first, std::uint64_t count, const Less& less) {
  if constexpr (is_plain<It>) {
    merge_few<Ties>(first, count, less);
  } else {
    insertion_sort(first, count, less);
  }
}

/// Cost: O(n log n) comparisons whatever the input, but twice those of quicksort, all over memory.
/// Source: Williams, CACM 1964; Floyd, CACM 1964.
template <class It, class Less>
void heap_sort(It first, std::uint64_t count, const Less& less) {
  const auto at = [first](std::uint64_t index) {
    return first + static_cast<std::iter_difference_t<It>>(index);
  };
  const auto sift_down = [&](std::uint64_t parent, std::uint64_t size) {
    for (std::uint64_t child = 2 * parent + 1; child < size; child = 2 * parent + 1) {
      if (child + 1 < size && less(*at(child), *at(child + 1))) ++child;
      if (!less(*at(parent), *at(child))) return;
      std::ranges::iter_swap(at(parent), at(child));
      parent = child;
    }
  };
  for (std::uint64_t parent = count / 2; parent-- > 0;) sift_down(parent, count);
  for (std::uint64_t size = count; size-- > 1;) {
    std::ranges::iter_swap(first, at(size));
    sift_down(0, size);
  }
}

}  // namespace filch::algo::sorting
