#pragma once
// The slow paths of a fork and a join. Out of line: at most once per request, steal or stall.
#include <filch/sched/current.hpp>

namespace filch::inline v0_2::sched {

enum class [[nodiscard]] fork_outcome{
    forked,   ///< The job is on the fork stack.
    full,     ///< The fork stack is full: run both sides as plain calls.
    outside,  ///< This thread is in no pool: enter one first.
    watched,  ///< An analysis watches: run both sides as plain calls, and tell it.
};

/// Forks `forked` on a stack whose `must_pause` is true: answers requests, notices overflow.
FILCH_EXPORT [[gnu::cold]] fork_outcome fork_slowly(queue::job forked) noexcept;

/// Ends a fork that is not private: `popped` gives the job back; after `stolen` a thief has run it.
/// Blocks: until the thief is done; runs only descendants of the job meanwhile.
FILCH_EXPORT [[gnu::cold]] queue::pop_outcome join_slowly(queue::fork_entry* at) noexcept;

}  // namespace filch::sched
