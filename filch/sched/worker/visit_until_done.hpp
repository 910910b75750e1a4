#pragma once
#include <filch/sched/worker/scheduler.hpp>

namespace filch::inline v0_2::sched {

/// Does `something` to a pool that may end by it, also on an external thread. Passes it this
/// thread's worker in that pool, or null.
template <class F>
void visit_until_done(scheduler& pool, F something) noexcept {
  if (worker* const here = pool.worker_here()) [[likely]]
    return something(here);
  const keep_alive stays{pool};
  something(nullptr);
}

}  // namespace filch::sched
