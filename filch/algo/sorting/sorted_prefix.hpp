#pragma once
#include <filch/algo/chunks.hpp>
#include <filch/base/atomic.hpp>

#include <cstdint>
#include <iterator>

namespace filch::inline v0_2::algo::sorting {

/// How many elements from the first on are in order, none less than the one before it.
///
/// Cost: at most about twice that of a serial search for the end; span O(log n) joins plus a leaf.
template <class It, class Less>
std::uint64_t sorted_prefix(const settings& how, It first, std::uint64_t count, const Less& less) {
  if (count < 2) return count;
  base::atomic<std::uint64_t> end{
      // Relaxed: an old value only costs work, and the joins order the last one for the caller.
      count};
  for_chunks(how, count - 1, [&](std::uint64_t from, std::uint64_t to) {
    if (from >= end.load(base::relaxed)) return;
    It at = first + static_cast<std::iter_difference_t<It>>(from);
    for (; from != to; ++from, ++at) {
      if (!less(*(at + 1), *at)) continue;
      std::uint64_t known = end.load(base::relaxed);
      while (from + 1 < known && !end.compare_exchange(known, from + 1, base::relaxed)) {
      }
      return;
    }
  });
  return end.load(base::relaxed);
}

}  // namespace filch::algo::sorting
