#pragma once
#include <filch/base/parker.hpp>
#include <filch/co/completion.hpp>

#include <coroutine>

namespace filch::inline v0_2::sched {
struct slot_waiter;
}

namespace filch::inline v0_2::co {

/// A waiter that is a thread: a worker gives its slot away while it sleeps, an external thread just
/// sleeps.
class thread_waiter : public waiter {
 public:
  thread_waiter() noexcept;
  /// Sleeps until `notify` or `wake`, which must come. `at`: the caller's address, for
  /// `sched::worker::waits_at`.
  void sleep(const void* at) noexcept;
  /// Ends the present or next sleep. Once. The waiter may be gone as soon as its thread wakes.
  void wake() noexcept;

 private:
  static std::coroutine_handle<> end_of_task(waiter& self, promise_base&) noexcept;

  sched::slot_waiter* waiter_;  ///< Null: an external thread.
  base::parker parker_;        ///< Of an external thread.
};

}  // namespace filch::co
