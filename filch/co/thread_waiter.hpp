#pragma once
#include <filch/base/parker.hpp>
#include <filch/co/completion.hpp>

#include <coroutine>

namespace filch::sched {
struct slot_waiter;
}

namespace filch::co {

/// A thread that waits as a waiter does: a worker gives its slot away meanwhile, a thread outside
/// of pools just sleeps.
class thread_waiter : public waiter {
 public:
  thread_waiter() noexcept;
  /// Until `notify` or `wake`, which is sure to come. `at`: who waits, as `sched::worker::waits_at`
  /// tells.
  void sleep(const void* at) noexcept;
  /// Ends the sleep, to come or under way. Once. It is gone as soon as its thread is up.
  void wake() noexcept;

 private:
  static std::coroutine_handle<> end_of_task(waiter& self, promise_base&) noexcept;

  sched::slot_waiter* claim_;  ///< Null: outside.
  base::parker parker_;        ///< Of a thread outside.
};

}  // namespace filch::co
