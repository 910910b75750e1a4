#pragma once
#include <filch/algo/divisible.hpp>
#include <filch/algo/failure.hpp>
#include <filch/base/clock.hpp>
#include <filch/policy/grain.hpp>
#include <filch/sched/current.hpp>

#include <algorithm>
#include <bit>

namespace filch::inline v0_2::algo {

/// How long a leaf goes on: to its end, unless it turns out to be expensive while others look for
/// work. The cost of earlier elements does not tell the cost of those in the leaf.
///
/// A leaf runs in chunks of about 100 ns, judged by what was measured before. After each chunk it
/// checks whether a thief has asked its worker for work: one load, as in a fork. Only then it reads
/// the clock, and ever more rarely, since a request may stay. It also stops once a leaf before it
/// has failed.
///
/// Threads: that of the leaf; `join` brings bodies back to the fork stack on which they began.
class patience {
 public:
  /// For a leaf of `items` elements, the first at `place`, that began at the time `begin`. It takes
  /// 2^`log2_chunks` chunks. Each chunk restarts the loop of the body, which takes some
  /// nanoseconds: with 128 chunks a body of 0.5 ns took 1.2 times as long as with 32.
  patience(std::uint64_t items, std::uint32_t log2_chunks, std::uint64_t begin,
           const failure& failed, std::uint64_t place) noexcept
      : failed_{failed},
        place_{place},
        chunk_size_{std::bit_floor((std::max)(items >> log2_chunks, std::uint64_t{1}))},
        begin_{begin} {}

  /// Calls `run(from, to)` for chunks of `left` from the front, and removes them; at least one
  /// chunk. Ends early if other workers should share the rest, or if the rest need not be done.
  template <loop_index I, class Run>
  [[gnu::always_inline]] void walk(loop_range<I>& left, Run&& run) {
    // In local variables, so that the compiler knows that no body writes to them.
    const std::uint64_t most = chunk_size_;
    const queue::fork_stack& forks = forks_;
    const queue::fork_entry* const bottom = bottom_;
    const failure& failed = failed_;
    const std::uint64_t place = place_;
    loop_range<I> rest = left;
    do {
      const std::uint64_t count = (std::min)(most, rest.count);
      const I from = rest.first;
      rest = {algo::advance(from, count), rest.count - count};
      run(from, rest.first);
    } while (rest.count != 0 && (!forks.must_pause(bottom) || !look()) && !failed.is_before(place));
    left = rest;
  }

 private:
  [[gnu::noinline]] bool look() noexcept {
    if (++asked_ < next_look_) return false;
    next_look_ += (std::min)(next_look_, 4u);
    return policy::grain::is_long(base::ticks() - begin_, base::ticks_per_us());
  }

  const queue::fork_stack& forks_ = *sched::current_stack;
  const queue::fork_entry* const bottom_ = forks_.bottom();
  const failure& failed_;
  std::uint64_t place_;
  std::uint64_t chunk_size_;
  std::uint64_t begin_;
  std::uint32_t asked_ = 0;
  std::uint32_t next_look_ = 1;
};

}  // namespace filch::algo
