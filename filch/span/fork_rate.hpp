#pragma once
// How many unstolen forks there were, of which samples are recorded (`event::kind::forks_counted`).
#include <filch/span/timeline.hpp>

namespace filch::inline v0_2::span {

/// Books the forks of which there is no record: as many as in the samples of the same worker, for
/// as much work. A sample stands for the work from its begin to the next one's. If no fork was
/// measured, each is taken to cost what it does on a common machine.
///
/// Cost: O(records and intervals).
void book_sampled_forks(timeline& in, const event::recording& from, std::uint32_t pool);

}  // namespace filch::span
