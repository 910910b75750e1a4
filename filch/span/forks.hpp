#pragma once
#include <filch/span/timeline.hpp>

namespace filch::inline v0_2::span {

/// Takes the cost of forks out of the work of the workers that forked (`interval::forking_ns`): an
/// estimate, as no single fork is measured. Their number is known if jobs were recorded or the run
/// was watched; otherwise nothing is booked.
///
/// The cost of a job's forks is taken from the interval that the job interrupts, in whole
/// nanoseconds, and the rest from the worker's next work. Of a watched run
/// `analysis::result::fork_overhead_ns` is spread over all work.
///
/// Cost: O(intervals + jobs); of a watched run of several pools, O(records) more.
void book_forks(timeline& in, const event::recording& from, std::uint32_t pool);

}  // namespace filch::span
