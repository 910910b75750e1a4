#pragma once
#include <filch/base/steady_time.hpp>
#include <filch/co/sync/waiting.hpp>
#include <filch/sched/timer_heap.hpp>

#include <cstdint>

namespace filch::inline v0_2::sched {
class timer_queue;
}

namespace filch::inline v0_2::co {

/// The time that timers use: `std::chrono::steady_clock`, or under the deterministic scheduler its
/// own clock.
base::steady_time now() noexcept;

namespace timers {

/// `ahead` from now, in nanoseconds of that clock. A time beyond its range is never due.
FILCH_EXPORT std::uint64_t due_in(std::chrono::nanoseconds ahead) noexcept;

/// A waiter that is a timer. It stands in the timer queue of the slot that it was started on, and
/// alone in a list of its own, from which it is interrupted.
class timed_node : public sync::wait_node, protected sched::timer {
 public:
  FILCH_EXPORT explicit timed_node(std::uint64_t due) noexcept;

 protected:
  ~timed_node() { leave(); }
  FILCH_EXPORT bool is_due() const noexcept;
  /// In the pool that `own` runs in; without one, in that of this thread. Throws: if that is the
  /// default pool and cannot be made.
  FILCH_EXPORT void choose_queue(promise_base* own);
  /// Starts the timer. False: the wait was interrupted. If true, this may be gone.
  FILCH_EXPORT bool start() noexcept;
  /// Waits on this thread, without a timer.
  FILCH_EXPORT void sleep_here() const noexcept;

 private:
  bool start_in_pool() noexcept;
  static void has_expired(sched::timer& self) noexcept;
  static void goes_on(sched::timer& self) noexcept;
  static void is_cancelled(void* self, sync::served_chain&) noexcept;

  sched::scheduler* pool_ = nullptr;
  sched::timer_queue* queue_ = nullptr;
  sync::wait_list alone_{&is_cancelled, this};
};

/// An await that ends at some time. `Operation` has `set_out()`, called before each wait, and
/// `result()`, called once `is_due`.
template <class Operation>
class [[nodiscard]] timed_wait : public timed_node {
 public:
  using timed_node::timed_node;

  bool await_ready() noexcept {
    at = state::fresh;
    static_cast<Operation*>(this)->set_out();
    return is_due();
  }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller,
                                        base::place where = {}) {
    choose_queue(promise_of(caller));
    if (!is_about_to_wait(caller, promise_of(caller))) return caller;
    base::task_waits(caller.address(), {"a time"}, where);
    return suspend(caller, &settle, this);
  }
  decltype(auto) await_resume() {
    end_wait();
    return static_cast<Operation*>(this)->result();
  }
  /// Instead of `await_suspend`: waits on this thread.
  void block() const noexcept { sleep_here(); }

 private:
  static std::coroutine_handle<> settle(void* self) noexcept {
    timed_wait& mine = *static_cast<timed_wait*>(self);
    const std::coroutine_handle<> caller = mine.self();
    return mine.start() ? nullptr : caller;
  }
};

}  // namespace timers
}  // namespace filch::co

namespace filch::inline v0_2 {

/// `filch::wait` for a time: `filch::wait(sleep_for(1ms))`.
template <class Operation>
decltype(auto) wait(co::timers::timed_wait<Operation>&& operation) {
  if (!operation.await_ready()) operation.block();
  return operation.await_resume();
}

}  // namespace filch
