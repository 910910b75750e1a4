#include <filch/co/block_on.hpp>

#include <filch/co/thread_waiter.hpp>
#include <filch/sched/core.hpp>

namespace filch::co {

void run_and_wait(sched::pool_core& pool, promise_base& runs, std::coroutine_handle<> self) noexcept {
  pool.detached_begun();
  runs.begin_root(pool, self);
  runs.has_begun = true;
  run_here(self);
  if (runs.done().is_finished()) return;
  pool.insist_on_a_thread();
  const base::waiting_for why{base::awaited{base::a_task, self.address()}};
  thread_waiter me;
  if (runs.done().leave(me)) me.sleep();
}

}  // namespace filch::co
