#include <filch/co/thread_waiter.hpp>

#include <filch/base/simulation.hpp>
#include <filch/sched/worker.hpp>

namespace filch::co {

thread_waiter::thread_waiter() noexcept
    : waiter{&wake}, claim_{sched::is_outside() ? nullptr : &sched::current_worker().claim} {}

// The waiter is gone as soon as its thread is up.
std::coroutine_handle<> thread_waiter::wake(waiter& self, promise_base&) noexcept {
  thread_waiter& mine = static_cast<thread_waiter&>(self);
  mine.claim_ == nullptr ? mine.parker_.unpark() : sched::resume(*mine.claim_);
  return nullptr;
}

void thread_waiter::sleep() noexcept {
  const base::waiting_for why{"a task"};
  if (claim_ == nullptr) return parker_.park();
  sched::worker& here = sched::current_worker();
  here.change(event::activity::waiting);
  here.sleep_until_resumed();
  here.change(event::activity::working);
}

}  // namespace filch::co
