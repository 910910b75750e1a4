#pragma once
#include <filch/algo/chunk_queue.hpp>

#include <algorithm>

namespace filch::algo {

/// Looks for the lowest offset in [0, count) that matches, from the front (chunk_queue.hpp): all that is
/// looked at in vain is what others have begun.
///
/// `Test(from, to)` gives the first match in a piece, or `to`.
template <class Test>
class first_match_search {
 public:
  first_match_search(const settings& how, std::uint64_t count, Test& test,
                     std::uint64_t least_step) noexcept
      : count_{count}, least_step_{least_step}, lowest_{count}, test_{test}, seats_{how, count} {}

  /// The lowest match, or `count`, which is not 0.
  std::uint64_t run() {
    return seats_.fold(
        [this](chunk_queue::seat& mine) { return search(mine); },
        [](std::uint64_t left, std::uint64_t right) { return (std::min)(left, right); });
  }

 private:
  /// How often within a piece to see whether a match further in front makes the rest of it
  /// pointless.
  static constexpr std::uint64_t looks_in_a_piece = 16;

  std::uint64_t search(chunk_queue::seat& mine) {
    while (mine.next()) {
      std::uint64_t match = count_;
      FILCH_TRY { match = look_through(mine.from(), mine.to()); }
      FILCH_CATCH_ALL {
        found(mine.from());  // who looks at what lies behind leaves off, too
        FILCH_RETHROW;
      }
      if (match != count_) return match;
    }
    return count_;
  }

  std::uint64_t look_through(std::uint64_t from, std::uint64_t to) {
    const std::uint64_t step = (std::max)((to - from) / looks_in_a_piece, least_step_);
    while (from < to && from < lowest_.load(base::relaxed)) {
      const std::uint64_t end = (std::min)(from + step, to);
      const std::uint64_t match = test_(from, end);
      if (match != end) return found(match);
      from = end;
    }
    return count_;
  }

  /// All that lies in front has been taken. Relaxed: who learns of it late looks at more than he
  /// had to.
  std::uint64_t found(std::uint64_t match) {
    seats_.close();
    std::uint64_t before = lowest_.load(base::relaxed);
    while (match < before && !lowest_.compare_exchange(before, match, base::relaxed)) {
    }
    return match;
  }

  const std::uint64_t count_;
  const std::uint64_t least_step_;      ///< So many offsets at least between two looks.
  base::atomic<std::uint64_t> lowest_;  ///< Writers: all seats; it only falls.
  Test& test_;
  chunk_queue seats_;
};

/// The lowest offset in [0, count) that `test(from, to)` finds, or `count`. The caller is inside
/// `run_in`.
template <class Test>
std::uint64_t first_match(const settings& how, std::uint64_t count, Test test,
                          std::uint64_t least_step = 1) {
  return count == 0 ? 0 : first_match_search<Test>(how, count, test, least_step).run();
}

/// As `first_match`, for a test of one offset at a time.
template <class Matches>
std::uint64_t first_match_one_by_one(const settings& how, std::uint64_t count, Matches matches) {
  return first_match(how, count, [&](std::uint64_t from, std::uint64_t to) {
    while (from != to && !matches(from)) ++from;
    return from;
  });
}

/// As wide as a `T` of up to four bytes, so that comparisons of many at once need no packing.
template <std::size_t Bytes>
using match_flag =
    std::conditional_t<Bytes == 1, signed char, std::conditional_t<Bytes == 2, short, int>>;

/// As `first_match`, for a test of plain numbers of `Bytes` bytes that may be made for more offsets
/// than needed: 32 at once, without branches, a loop that compilers vectorise. SSE2 has no
/// comparison of 64-bit integers: wider numbers are looked at one by one.
template <std::size_t Bytes, class Matches>
std::uint64_t first_match_in_blocks(const settings& how, std::uint64_t count, Matches matches) {
  if constexpr (Bytes > 4) {
    return first_match_one_by_one(how, count, matches);
  } else {
    constexpr std::uint64_t least_step = 512;  // of trivial tests: a fraction of a microsecond
    return first_match(
        how, count,
        [&](std::uint64_t from, std::uint64_t to) {
          using flag = match_flag<Bytes>;
          for (constexpr std::uint64_t block = 32; to - from >= block; from += block) {
            flag any = 0;
            for (std::uint64_t k = 0; k != block; ++k)
              any = static_cast<flag>(any | static_cast<flag>(matches(from + k)));
            if (any != 0) break;
          }
          while (from != to && !matches(from)) ++from;
          return from;
        },
        least_step);
  }
}

}  // namespace filch::algo
