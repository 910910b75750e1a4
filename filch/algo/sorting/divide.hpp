#pragma once
// How quicksort divides: four ways to bring the elements for which a predicate holds to the front.
// Each returns their number. The predicate is passed by value, so that its data can stay in
// registers while elements are written.
#include <filch/algo/sorting/order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2::algo::sorting {

/// Moves every element, but branches on none; plain elements are copied twice. Divides two ranges
/// as if nothing lay between them: `count` elements from `first` on, at least one if there are any,
/// and `more` from `beyond` on.
///
/// Source: Lomuto's scheme as in Bentley, Programming Pearls, with a traveling hole instead of
/// swaps, as in Peters and Bergdoll's ipnsort, 2024.
template <class T, class Predicate>
std::uint64_t divide_by_moving(T* first, std::uint64_t count, T* beyond, std::uint64_t more,
                               Predicate goes_left) {
  if (count == 0) return 0;
  struct travelling_hole {
    T* at;
    T element;
    ~travelling_hole() { *at = element; }
  } hole{first, *first};
  T *at = first + 1, *end = first + count, *const last_end = beyond + more;
  T *left_end = first, *left_stop = end;  // from `left_end` to the hole all go right
  std::uint64_t left_before = 0;          // set once the first range is full of left ones
  for (;;) {
    // Neither the element read nor the place written can reach the end of a range before the other.
    for (T* const stop = at + (std::min)(end - at, left_stop - left_end); at != stop; ++at) {
      T element = *at;
      const bool is_left = goes_left(element);
      *hole.at = *left_end;
      *left_end = element;
      hole.at = at;
      left_end += is_left;
    }
    if (left_end == left_stop) {
      left_before = count;
      left_end = first = beyond;
      left_stop = last_end;
    }
    if (at != end) continue;
    if (end == last_end) break;
    at = beyond;
    end = last_end;
  }
  const bool is_left = goes_left(hole.element);
  *hole.at = *left_end;
  hole.at = left_end;
  return left_before + static_cast<std::uint64_t>(left_end - first) + is_left;
}

/// Moves every element as `divide_by_moving` does, but only once. It comes from both ends, with a
/// gap at each for elements that belong there, so memory passes through the caches once. The first
/// elements of the gaps are held meanwhile, and fill them at the end. What is then left of one
/// range is divided by moving.
///
/// Source: van den Hoven's crumsort, "fulcrum partition", 2022. We differ: two ranges, and a
/// comparison may throw.
template <class T, class Predicate>
std::uint64_t divide_from_both_ends(T* first, std::uint64_t count, T* beyond, std::uint64_t more,
                                    Predicate goes_left) {
  constexpr unsigned gap = 64, stride = 32;  // the wider gap has room for a stride
  if ((std::min)(count, more) < gap) return divide_by_moving(first, count, beyond, more, goes_left);
  alignas(T) std::byte memory[2 * gap * sizeof(T)];
  struct both_gaps {
    T *first, *unseen, *unseen_end;
    T* right;  // `left` before the first of those that have gone right
    std::uint64_t left;
    T* held;

    T* left_end() const noexcept { return first + left; }
    T* right_begin() const noexcept { return right + left; }
    void put(T element, bool is_left) noexcept {
      --right;
      first[left] = element;
      right[left] = element;
      left += is_left;
    }
    ~both_gaps() {
      const auto in_left_gap = unseen - left_end();
      std::copy_n(held, in_left_gap, left_end());
      std::copy_n(held + in_left_gap, right_begin() - unseen_end, unseen_end);
    }
  };
  T *const held = static_cast<T*>(static_cast<void*>(memory)), *const first_end = first + count,
           *const last_end = beyond + more;
  std::copy_n(first, gap, held);
  std::copy_n(last_end - gap, gap, held + gap);
  T* right_begin;
  {
    both_gaps at{first, first + gap, last_end - gap, last_end, 0, held};
    for (;;) {
      if (at.unseen - at.left_end() <= gap) {
        if (first_end - at.unseen < stride) break;
        for (unsigned i = 0; i != stride; ++i, ++at.unseen)
          at.put(*at.unseen, goes_left(*at.unseen));
      } else {
        if (at.unseen_end - beyond < stride) break;
        for (unsigned i = 0; i != stride; ++i, --at.unseen_end)
          at.put(at.unseen_end[-1], goes_left(at.unseen_end[-1]));
      }
    }
    first = at.left_end();
    right_begin = at.right_begin();
  }
  const auto left = count - static_cast<std::uint64_t>(first_end - first);
  return left + divide_by_moving(first, count - left, beyond,
                                 static_cast<std::uint64_t>(right_begin - beyond), goes_left);
}

/// The elements in a block at one end of the range that belong to the other side.
struct misplaced {
  static constexpr std::uint64_t most = 64;
  std::uint8_t offsets[most];
  unsigned begin = 0, end = 0;  ///< Those in between have not been swapped yet.
  std::uint64_t size = 0;       ///< Of the block.

  bool is_done() const noexcept { return begin == end; }
  unsigned count() const noexcept { return end - begin; }
  /// Examines a new block of at most that many elements.
  template <class IsWrong>
  void look(std::uint64_t unseen, const IsWrong& is_wrong) {
    begin = end = 0;
    size = (std::min)(most, unseen);
    for (std::uint64_t i = 0; i < size; ++i) {
      offsets[end] = static_cast<std::uint8_t>(i);
      end += is_wrong(i);
    }
  }
};

/// Swaps only elements on the wrong side. It first records their places in a block at each end,
/// without a branch on the comparison, and then swaps them. So comparisons that wait for memory
/// overlap.
///
/// Source: Edelkamp and Weiss, BlockQuicksort, ESA 2016.
template <class It, class Predicate>
std::uint64_t divide_by_blocks(It first, std::uint64_t count, Predicate goes_left) {
  using distance = std::iter_difference_t<It>;
  It low = first, high = first + static_cast<distance>(count);
  misplaced left, right;
  const auto at_left = [&](std::uint64_t offset) { return low + static_cast<distance>(offset); };
  const auto at_right = [&](std::uint64_t offset) {
    return high - 1 - static_cast<distance>(offset);
  };

  for (std::uint64_t unseen = count; unseen > 0;) {
    if (left.is_done()) {
      left.look(right.is_done() ? unseen - unseen / 2 : unseen,
                [&](std::uint64_t i) { return !goes_left(*at_left(i)); });
      unseen -= left.size;
    }
    if (right.is_done()) {
      right.look(unseen, [&](std::uint64_t i) { return goes_left(*at_right(i)); });
      unseen -= right.size;
    }
    for (unsigned swaps = (std::min)(left.count(), right.count()); swaps > 0; --swaps) {
      std::ranges::iter_swap(at_left(left.offsets[left.begin++]),
                             at_right(right.offsets[right.begin++]));
    }
    if (left.is_done()) low += static_cast<distance>(left.size);
    if (right.is_done()) high -= static_cast<distance>(right.size);
  }
  // Now at most one block is unfinished, and nothing else lies between `low` and `high`. Its
  // elements farthest from its end go first.
  if (!left.is_done()) {
    while (!left.is_done()) swap_unless_same(at_left(left.offsets[--left.end]), --high);
    return static_cast<std::uint64_t>(high - first);
  }
  for (; !right.is_done(); ++low) swap_unless_same(at_right(right.offsets[--right.end]), low);
  return static_cast<std::uint64_t>(low - first);
}

/// Branches once for four elements: the fastest way if nearly all are already on their side.
/// Divides two ranges, as `divide_by_moving` does.
///
/// Source: Hoare, Computer Journal 1962.
template <class It, class Predicate>
std::uint64_t divide_by_swapping(It first, std::uint64_t count, It beyond, std::uint64_t more,
                                 Predicate goes_left) {
  const auto how_many_left = [&](It at) {
    return static_cast<int>(goes_left(at[0])) + static_cast<int>(goes_left(at[1])) +
           static_cast<int>(goes_left(at[2])) + static_cast<int>(goes_left(at[3]));
  };
  for (std::uint64_t left_before = 0;;) {
    It low = first, high = beyond + static_cast<std::iter_difference_t<It>>(more);
    const It low_end = first + static_cast<std::iter_difference_t<It>>(count);
    for (;; ++low) {
      while (low_end - low >= 4 && how_many_left(low) == 4) low += 4;
      while (low != low_end && goes_left(*low)) ++low;
      if (low == low_end) break;
      while (high - beyond >= 4 && how_many_left(high - 4) == 0) high -= 4;
      while (high != beyond && !goes_left(*(high - 1))) --high;
      if (high == beyond) break;
      std::ranges::iter_swap(low, --high);
    }
    // One side is through. The rest of the other has no gap, and is divided as two halves.
    left_before += static_cast<std::uint64_t>(low - first);
    const bool is_left_through = low == low_end;
    first = is_left_through ? beyond : low;
    const auto rest = static_cast<std::uint64_t>((is_left_through ? high : low_end) - first);
    if (rest == (is_left_through ? 0 : 1)) return left_before;  // it belongs right
    count = rest - rest / 2;
    more = rest / 2;
    beyond = first + static_cast<std::iter_difference_t<It>>(count);
  }
}

/// Divides two ranges, as `divide_by_moving` does, in the way that suits elements whose arrangement
/// is unknown.
template <class It, class Predicate>
std::uint64_t divide(It first, std::uint64_t count, It beyond, std::uint64_t more,
                     Predicate goes_left) {
  if constexpr (is_plain<It>) {
    // That many fit the L2 cache
    constexpr std::uint64_t cached_items = (256u << 10) / sizeof(*first);
    if (count + more <= cached_items)
      return divide_by_moving(first, count, beyond, more, goes_left);
    if (more == 0) {
      more = count / 2;
      count -= more;
      beyond = first + count;
    }
    return divide_from_both_ends(first, count, beyond, more, goes_left);
  } else {
    const std::uint64_t left = divide_by_blocks(first, count, goes_left),
                        left_beyond = divide_by_blocks(beyond, more, goes_left);
    It low = first + static_cast<std::iter_difference_t<It>>(left),
       high = beyond + static_cast<std::iter_difference_t<It>>(left_beyond);
    for (std::uint64_t swaps = (std::min)(count - left, left_beyond); swaps > 0; --swaps, ++low)
      std::ranges::iter_swap(low, --high);
    return left + left_beyond;
  }
}

}  // namespace filch::algo::sorting
