#pragma once
#include <filch/co/sync/permits.hpp>
#include <filch/co/sync/waiting.hpp>

namespace filch::inline v0_2::co::sync {

using permits = basic_permits<base::real_sync, wait_node>;

/// An operation that takes permits. `Operation` has the result of its await.
template <class Operation>
class [[nodiscard]] acquiring : public waiting<Operation, permits::waiter> {
  using waits = waiting<Operation, permits::waiter>;

 public:
  explicit acquiring(permits& from, std::size_t count = 1) noexcept
      : waits{from.lock()}, from_{from} {
    this->wanted = count;
  }
  bool try_at_once() noexcept { return from_.try_acquire(this->wanted); }
  bool try_or_list() noexcept { return from_.acquire_or_list(*this); }
  bool try_locked(served_chain&) noexcept { return from_.try_acquire_locked(this->wanted); }
  void list(served_chain& served) noexcept { from_.list(*this, served); }
  /// Puts `count` permits back, then wakes the waiters that they serve. The wakes come last: a
  /// woken waiter may destroy the permits.
  static void put_back(permits& to, std::size_t count = 1) noexcept {
    if (!to.try_release(count)) [[unlikely]]
      put_back_for_others(to, count);
  }

 private:
  [[gnu::noinline]] static void put_back_for_others(permits& to, std::size_t count) noexcept {
    let_go others;
    while (count > 0) to.release(count, others);
    go_on(others);
  }
  static void go_on(const let_go& others) noexcept {
    wake_all(others.served);
    if (others.again != nullptr) static_cast<acquiring*>(others.again)->return_as(&tries_again);
  }
  /// The job of a task that tries again; after a vain try the task stays suspended. If it lets
  /// others go on, it is made ready before them, not run here below them: they may run where they
  /// are woken, and may wait for it.
  static void tries_again(sched::detached_job* own, sched::detached_job::fate) {
    acquiring& mine = static_cast<acquiring&>(wait_node::armed_by(*own));
    const std::coroutine_handle<> caller = mine.self();
    base::task_now_waits(caller.address(), static_cast<Operation&>(mine).awaited());
    let_go others;
    // It may be gone
    if (!mine.from_.acquire_or_list_again(mine, others)) return waits::goes_on_waiting();
    if (others.is_nobody()) return run_here(caller);
    static_cast<promise_base*>(own)->make_ready();
    go_on(others);
  }

  permits& from_;
};

}  // namespace filch::co::sync
