#pragma once
#include <filch/span/budget.hpp>
#include <filch/span/summary.hpp>

#include <string>

namespace filch::span {

/// All that is known of one pool in one recording.
struct observation {
  std::uint32_t pool = 0;
  timeline laid_out;
  budget spent;
  idle_attribution idleness;
  summary seen;
  data_quality how_far;
};

/// Says what is wrong with a recording that does not come from this process; empty: nothing.
/// Everything else in this room wants it sound: entries in order and within its length, no index
/// without what it points to, and no time too long to be summed.
std::string find_fault(const event::recording& from);

/// Looks at `pool`. Cost: O(n log n) for n records.
observation observe(const event::recording& from, std::uint32_t pool);

/// For how long workers were in jobs, awake and with a slot, in ns: pool by pool, all workers of
/// one together.
///
/// Cost: O(records).
std::vector<double> work_of_pools(const event::recording& from);

/// The pool with most of it; 0 where none did anything.
///
/// Cost: O(records), for all pools together.
std::uint32_t busiest_pool(const event::recording& from);

/// What to call a site, site 0 too: `event::text_of`, or what the time without one is.
std::string name_of(const event::recording& from, std::uint32_t site);

}  // namespace filch::span
