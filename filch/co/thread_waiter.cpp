#include <filch/co/thread_waiter.hpp>

#include <filch/sched/worker/worker.hpp>

namespace filch::inline v0_2::co {

thread_waiter::thread_waiter() noexcept
    : waiter{&end_of_task},
      waiter_{sched::is_outside() ? nullptr : &sched::current_worker().waiter} {}

void thread_waiter::wake() noexcept {
  waiter_ == nullptr ? parker_.unpark() : sched::resume(*waiter_);
}

std::coroutine_handle<> thread_waiter::end_of_task(waiter& self, promise_base&) noexcept {
  static_cast<thread_waiter&>(self).wake();
  return nullptr;
}

void thread_waiter::sleep(const void* at) noexcept {
  if (waiter_ == nullptr) return parker_.park();
  sched::worker& here = sched::current_worker();
  here.reports.change(event::activity::waiting);
  here.sleep_until_resumed(at);
  here.reports.change(event::activity::working);
}

}  // namespace filch::co
