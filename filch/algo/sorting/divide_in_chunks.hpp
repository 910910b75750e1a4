#pragma once
// Dividing a long range by several workers.
#include <filch/algo/chunks.hpp>
#include <filch/algo/sorting/order.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace filch::inline v0_2::algo::sorting {

inline constexpr unsigned most_chunks = 64;
inline constexpr unsigned most_ranges = 2 * most_chunks;

/// Ranges of elements, numbered as if there were no gaps between them.
class range_list {
 public:
  void add(std::uint64_t from, std::uint64_t to) noexcept {
    if (from >= to) return;
    starts_[range_count_] = from;
    element_counts_[range_count_++] = to - from;
    total_ += to - from;
  }
  std::uint64_t total() const noexcept { return total_; }

  /// Where element number `index` lies, and how many follow without a gap, including itself.
  struct place {
    std::uint64_t at, left_here;
  };
  place find(std::uint64_t index) const noexcept {
    unsigned i = 0;
    for (; index >= element_counts_[i]; ++i) index -= element_counts_[i];
    return {starts_[i] + index, element_counts_[i] - index};
  }

 private:
  std::array<std::uint64_t, most_ranges> starts_, element_counts_;
  unsigned range_count_ = 0;
  std::uint64_t total_ = 0;
};

/// Divides [first, first + count) as `divide` does one chunk of it. It first divides the chunks,
/// possibly in parallel. Then it swaps the elements on the wrong side of the whole: right ones
/// among the left against left ones among the right.
///
/// A chunk is two ranges, one before `middle` and one behind, which
/// `divide(first, count, beyond, more)` divides as one. So the nearer the true middle is, the fewer
/// elements are on the wrong side. With contiguous chunks it would be half of them.
///
/// Cost: work O(n), span O(n / chunks); a few KiB of stack. The result depends on the number of
/// chunks, not on the schedule.
template <class It, class Divide>
std::uint64_t divide_in_chunks(const settings& how, It first, std::uint64_t count,
                               std::uint64_t middle, unsigned chunks, const Divide& divide) {
  const auto at = [first](std::uint64_t index) {
    return first + static_cast<std::iter_difference_t<It>>(index);
  };
  const unsigned range_count = 2 * chunks;
  const auto start_of = [&](std::uint64_t range) {
    const auto in = [&](std::uint64_t items, std::uint64_t i) {
      return items / chunks * i + std::min<std::uint64_t>(i, items % chunks);
    };
    return range < chunks ? in(middle, range) : middle + in(count - middle, range - chunks);
  };
  std::array<std::uint64_t, most_ranges> middles;
  settings each = how.with_same_limit();
  each.grain = 1;
  for_chunks(each, chunks, [&](std::uint64_t one, std::uint64_t to) {
    for (; one != to; ++one) {
      const std::uint64_t other = one + chunks, from = start_of(one), beyond = start_of(other);
      const std::uint64_t items = start_of(one + 1) - from;
      const std::uint64_t left = divide(at(from), items, at(beyond), start_of(other + 1) - beyond);
      middles[one] = from + (std::min)(left, items);
      middles[other] = beyond + left - (std::min)(left, items);
    }
  });
  std::uint64_t left_count = 0;
  for (unsigned i = 0; i != range_count; ++i) left_count += middles[i] - start_of(i);

  range_list left, right;  // elements on the wrong side
  for (unsigned i = 0; i != range_count; ++i) {
    left.add(middles[i], (std::min)(start_of(i + 1), left_count));
    right.add((std::max)(start_of(i), left_count), middles[i]);
  }
  each.grain = how.grain;
  for_chunks(each, left.total(), [&](std::uint64_t from, std::uint64_t to) {
    while (from != to) {
      const auto a = left.find(from), b = right.find(from);
      const std::uint64_t together = (std::min)({a.left_here, b.left_here, to - from});
      for (std::uint64_t i = 0; i != together; ++i)
        std::ranges::iter_swap(at(a.at + i), at(b.at + i));
      from += together;
    }
  });
  return left_count;
}

}  // namespace filch::algo::sorting
