#include <filch/co/block_on.hpp>

#include <filch/sched/core.hpp>

namespace filch::co {
namespace {

/// A thread that waits for a root.
struct sleeping_thread : waiter {
  explicit sleeping_thread(sched::slot_claim& wakes) noexcept : waiter{&wake}, claim{wakes} {}
  static std::coroutine_handle<> wake(waiter& self, promise_base&) noexcept {
    sched::resume(static_cast<sleeping_thread&>(self).claim);
    return nullptr;
  }
  sched::slot_claim& claim;
};

}  // namespace

void run_and_wait(sched::pool_core& pool, promise_base& runs, std::coroutine_handle<> self) noexcept {
  pool.detached_begun();
  runs.begin_root(pool, self);
  runs.has_begun = true;
  run_here(self);
  if (runs.done().is_finished()) return;
  sched::worker& here = sched::current_worker();
  sleeping_thread me{here.claim};
  pool.insist_on_a_thread();
  if (!runs.done().leave(me)) return;
  const base::waiting_for why{"a task"};
  here.change(event::activity::waiting);
  here.sleep_until_resumed();
  here.change(event::activity::working);
}

}  // namespace filch::co
