#pragma once
#include <filch/base/thread_words.hpp>
#include <filch/queue/fork_stack.hpp>

namespace filch::inline v0_2::sched {

class scheduler;

/// The fork stack of a worker, with the two members that headers on the fast path need: they do not
/// include the rest of a worker.
class pool_stack : public queue::fork_stack {
 public:
  scheduler& core;
  const unsigned index;

 protected:
  pool_stack(scheduler& home, unsigned worker_index) noexcept : core{home}, index{worker_index} {}
};

/// The fork stack of a thread outside every pool: no room, so that every fork takes the slow path.
FILCH_EXPORT extern constinit queue::fork_stack outside_stack;

/// The fork stack that this thread forks on: its worker's, or `outside_stack`. Never null.
FILCH_EXPORT FILCH_TLS_INITIAL_EXEC extern constinit thread_local queue::fork_stack* current_stack;

using base::exceptions_below;

inline bool is_outside() noexcept { return current_stack == &outside_stack; }

/// Reported if this thread's stack overflows.
inline std::size_t forks_here() noexcept { return current_stack->depth(); }
/// The worker's part of `current_stack`. Call only if `is_outside()` is false.
inline pool_stack& current_pool_stack() noexcept {
  return static_cast<pool_stack&>(*current_stack);
}

}  // namespace filch::sched
