#include <filch/co/block_on.hpp>

#include <filch/sched/scheduler.hpp>

namespace filch::co {

void run_and_wait(sched::scheduler& pool, promise_base& runs,
                  std::coroutine_handle<> self) noexcept {
  pool.detached_begun();
  runs.begin_root(pool, self);
  runs.has_begun = true;
  run_here(self, &runs);
  runs.wait_for_end();
}

}  // namespace filch::co
