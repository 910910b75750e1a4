#pragma once
// The activity of every worker of a pool and the use of every slot, as intervals of time. All other
// code in this room that asks "where did the time go?" adds these up.
#include <filch/span/interval.hpp>

namespace filch::inline v0_2::span {

/// One pool's part of a recording. At every instant the intervals that hold slots and the free
/// slots of the vacancy are `slot_count` together.
struct timeline {
  std::uint32_t slot_count = 0;
  std::int64_t length_ns = 0;
  /// In the order in which they end; those of one worker cover the recording without overlap.
  std::vector<interval> intervals;
  std::vector<vacancy> vacancies;  ///< In order of time, without gaps.
  std::vector<job> jobs;           ///< In the order in which they began.
  /// Forks whose cost is in `interval::forking_ns`; 0 if they were not counted.
  std::uint64_t forks = 0;
  std::int64_t fork_ps = 0;  ///< What each of them is taken to cost.
  /// How often a slot was taken before its holder had said that it left.
  std::uint64_t double_claims = 0;
  /// Run delay of threads without a slot: they were slow to wake.
  std::int64_t delay_without_slot_ns = 0;
};

/// Makes the timeline of `pool` from its records, in one pass.
///
/// Cost: O(records), and the intervals and vacancies that it returns.
timeline lay_out(const event::recording& from, std::uint32_t pool);

}  // namespace filch::span
