#pragma once
#include <filch/algo/pieces.hpp>
#include <filch/base/atomic.hpp>
#include <filch/base/cache_line.hpp>

#include <algorithm>

namespace filch::algo {

/// Looks for the lowest offset in [0, count) that matches, from the front: whoever is free takes the next piece.
///
/// A loop that is halved would send the first thief to the middle, where work is wasted if the match is in the first half, and
/// the owner would still go through that half alone. Here all that is looked at in vain is what the others have begun.
/// `Test(from, to)` gives the first match in a piece, or `to`.
template <class Test>
class first_match_search {
 public:
  first_match_search(const settings& how, std::uint64_t count, Test& test, std::uint64_t least_step) noexcept
      : how_{how}, count_{count}, least_step_{least_step}, lowest_{count}, test_{test} {}

  /// The lowest match, or `count`, which is not 0.
  std::uint64_t run() {
    if (sched::current_observer != nullptr) return run_watched();
    const std::uint64_t pieces = how_.grain == 0 ? count_ : (count_ - 1) / how_.grain + 1;
    settings seats;
    seats.grain = 1;
    for_pieces(seats, std::min<std::uint64_t>(pieces, pool_here().concurrency()),
               [this](std::uint64_t, std::uint64_t) { take_pieces(); });
    return lowest_.load(base::relaxed);
  }

 private:
  /// How often within a piece to see whether a match further in front makes the rest of it pointless.
  static constexpr std::uint64_t looks_in_a_piece = 16;

  /// Watched by an analysis, the first seat would take all pieces. With a piece for each worker that there could be, what is looked at is the same.
  std::uint64_t run_watched() {
    for_pieces(how_, count_, [this](std::uint64_t from, std::uint64_t to) {
      FILCH_TRY { look_through(from, to); }
      FILCH_CATCH_ALL {
        found(0);
        FILCH_RETHROW;
      }
    });
    return lowest_.load(base::relaxed);
  }

  /// One seat at the search: goes on until there is nothing left in front of the lowest match. Throws for all: then nobody looks on.
  void take_pieces() {
    FILCH_TRY {
      policy::grain pace;
      for (std::uint64_t now = how_.grain == 0 ? base::ticks() : 0;;) {
        const std::uint64_t size = how_.grain == 0 ? pace.items() : how_.grain;
        const std::uint64_t from = next_.fetch_add(size, base::relaxed);
        if (from >= lowest_.load(base::relaxed)) return;
        how_.check_stop();
        look_through(from, std::min(from + size, count_));
        if (how_.grain == 0) {
          const std::uint64_t begin = std::exchange(now, base::ticks());
          pace.observe(size, now - begin, base::ticks_per_us());
        }
      }
    }
    FILCH_CATCH_ALL {
      found(0);
      FILCH_RETHROW;
    }
  }

  void look_through(std::uint64_t from, std::uint64_t to) {
    const std::uint64_t step = std::max((to - from) / looks_in_a_piece, least_step_);
    while (from < to && from < lowest_.load(base::relaxed)) {
      const std::uint64_t end = std::min(from + step, to);
      const std::uint64_t match = test_(from, end);
      if (match != end) return found(match);
      from = end;
    }
  }

  /// Relaxed, as all else: nothing but the number itself is handed over, and the joins order the last look after every match.
  void found(std::uint64_t match) {
    std::uint64_t before = lowest_.load(base::relaxed);
    while (match < before && !lowest_.compare_exchange(before, match, base::relaxed)) {
    }
  }

  const settings& how_;
  const std::uint64_t count_;
  const std::uint64_t least_step_;      ///< So many offsets at least between two looks.
  base::atomic<std::uint64_t> lowest_;  ///< Writers: all seats; it only falls.
  Test& test_;
  alignas(base::cache_line_bytes) base::atomic<std::uint64_t> next_{0};  ///< Writers: all seats. What lies before is taken.
};

/// The lowest offset in [0, count) that `test(from, to)` finds, or `count`. The caller is inside `run_in`.
template <class Test>
std::uint64_t first_match(const settings& how, std::uint64_t count, Test test, std::uint64_t least_step = 1) {
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
using match_flag = std::conditional_t<Bytes == 1, signed char, std::conditional_t<Bytes == 2, short, int>>;

/// As `first_match`, for a test of plain numbers of `Bytes` bytes that may be made for more offsets than needed: 32 at once, without branches, a loop that
/// compilers vectorise. SSE2 has no comparison of 64-bit integers: wider numbers are looked at one by one.
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
            for (std::uint64_t k = 0; k != block; ++k) any = static_cast<flag>(any | static_cast<flag>(matches(from + k)));
            if (any != 0) break;
          }
          while (from != to && !matches(from)) ++from;
          return from;
        },
        least_step);
  }
}

}  // namespace filch::algo
