#pragma once
#include <filch/span/budget.hpp>
#include <filch/span/summary.hpp>

#include <string>

namespace filch::inline v0_2::span {

/// All that is known of one pool in one recording.
struct observation {
  std::uint32_t pool = 0;
  timeline laid_out;
  budget spent;
  idle_attribution idleness;
  summary seen;
  data_quality how_far;
};

/// Says what is wrong with a recording that does not come from this process; empty: nothing. All
/// other code in this room needs a sound one: entries in order and within its length, every index
/// within its table, and no time too long to be summed.
std::string find_fault(const event::recording& from);

/// Looks at `pool`. Cost: O(n log n) for n records.
observation observe(const event::recording& from, std::uint32_t pool);

/// The time in ns that workers spent in jobs, awake and with a slot: one sum for each pool.
///
/// Cost: O(records).
std::vector<double> work_of_pools(const event::recording& from);

/// The pool with most of it; 0 if none did anything.
///
/// Cost: O(records), for all pools together.
std::uint32_t busiest_pool(const event::recording& from);

/// The name of a site: `event::text_of`, or for site 0 what time without a site is.
std::string name_of(const event::recording& from, std::uint32_t site);

}  // namespace filch::span
