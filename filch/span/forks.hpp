#pragma once
#include <filch/span/timeline.hpp>

namespace filch::span {

/// Takes what forks cost out of the work of those who forked (`interval::forking_ns`): an estimate, as
/// no fork is measured by itself. Their number is known where jobs were recorded, and of a run that
/// was watched; elsewhere nothing is booked.
///
/// Cost: O(stints + jobs); of a watched run of several pools, O(records) more.
void book_forks(timeline& in, const event::recording& from, std::uint32_t pool);

}  // namespace filch::span
