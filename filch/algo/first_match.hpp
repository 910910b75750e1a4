#pragma once
#include <filch/algo/chunk_queue.hpp>

#include <algorithm>

namespace filch::inline v0_2::algo {

/// Looks for the lowest offset in [0, count) that matches, from the front (chunk_queue.hpp). Only
/// chunks that other workers have begun are searched in vain.
///
/// `Test(from, to)` returns the first match in a chunk, or `to`.
template <class Test>
class first_match_search {
 public:
  first_match_search(const settings& how, std::uint64_t count, Test& test,
                     std::uint64_t least_interval) noexcept
      : count_{count},
        least_interval_{least_interval},
        lowest_{count},
        test_{test},
        chunks_{how, count} {}

  /// Returns the lowest match, or `count`, which is not 0.
  std::uint64_t run() {
    return chunks_.fold(
        [this](chunk_queue::taker& mine) { return search(mine); },
        [](std::uint64_t left, std::uint64_t right) { return (std::min)(left, right); });
  }

 private:
  /// How often a worker checks within a chunk whether a lower match makes the rest pointless.
  static constexpr std::uint64_t looks_in_a_chunk = 16;

  std::uint64_t search(chunk_queue::taker& mine) {
    while (mine.next()) {
      std::uint64_t match = count_;
      FILCH_TRY { match = look_through(mine.from(), mine.to()); }
      FILCH_CATCH_ALL {
        found(mine.from());  // so that searches behind it stop, too
        FILCH_RETHROW;
      }
      if (match != count_) return match;
    }
    return count_;
  }

  std::uint64_t look_through(std::uint64_t from, std::uint64_t to) {
    const std::uint64_t interval = (std::max)((to - from) / looks_in_a_chunk, least_interval_);
    while (from < to && from < lowest_.load(base::relaxed)) {
      const std::uint64_t end = (std::min)(from + interval, to);
      const std::uint64_t match = test_(from, end);
      if (match != end) return found(match);
      from = end;
    }
    return count_;
  }

  /// Records a match, and closes the counter: everything before it has been taken. Relaxed: a
  /// thread that learns of it late searches more than needed.
  std::uint64_t found(std::uint64_t match) {
    chunks_.close();
    std::uint64_t before = lowest_.load(base::relaxed);
    while (match < before && !lowest_.compare_exchange(before, match, base::relaxed)) {
    }
    return match;
  }

  const std::uint64_t count_;
  const std::uint64_t least_interval_;  ///< At least this many offsets between two checks.
  base::atomic<std::uint64_t> lowest_;  ///< Writers: all takers; it only falls.
  Test& test_;
  chunk_queue chunks_;
};

/// Returns the lowest offset in [0, count) that `test(from, to)` finds, or `count`. Call inside
/// `run_in`.
template <class Test>
std::uint64_t first_match(const settings& how, std::uint64_t count, Test test,
                          std::uint64_t least_interval = 1) {
  return count == 0 ? 0 : first_match_search<Test>(how, count, test, least_interval).run();
}

/// As `first_match`, with a test of one offset at a time.
template <class Matches>
std::uint64_t first_match_one_by_one(const settings& how, std::uint64_t count, Matches matches) {
  return first_match(how, count, [&](std::uint64_t from, std::uint64_t to) {
    while (from != to && !matches(from)) ++from;
    return from;
  });
}

/// As wide as a number of up to four bytes, so that vector comparisons need no packing.
template <std::size_t Bytes>
using match_flag =
    std::conditional_t<Bytes == 1, signed char, std::conditional_t<Bytes == 2, short, int>>;

/// As `first_match`, with a test of plain numbers of `Bytes` bytes that may also be called for
/// unneeded offsets. It tests 32 at once without branches, in a loop that compilers vectorize. SSE2
/// cannot compare 64-bit integers, so wider numbers are tested one by one.
template <std::size_t Bytes, class Matches>
std::uint64_t first_match_in_blocks(const settings& how, std::uint64_t count, Matches matches) {
  if constexpr (Bytes > 4) {
    return first_match_one_by_one(how, count, matches);
  } else {
    constexpr std::uint64_t least_interval = 512;  // trivial tests: a fraction of a microsecond
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
        least_interval);
  }
}

}  // namespace filch::algo
