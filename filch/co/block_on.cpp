#include <filch/co/block_on.hpp>

#include <filch/sched/worker/scheduler.hpp>

namespace filch::inline v0_2::co::detail {

void run_and_wait(sched::scheduler& pool, promise_base& runs,
                  std::coroutine_handle<> self) noexcept {
  pool.jobs().begin(pool.worker_here());
  runs.begin_root(pool, self);
  runs.has_begun = true;
  run_here(self, &runs);
  runs.wait_for_end();
}

}  // namespace filch::co::detail
