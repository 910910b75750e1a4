#pragma once
#include <filch/co/promise.hpp>
#include <filch/sched/pool/pool.hpp>

#include <coroutine>

namespace filch::inline v0_2::co {
namespace detail {

/// What `schedule_on` returns, to be awaited.
class [[nodiscard]] moving {
 public:
  explicit moving(thread_pool& to) noexcept : to_{to} {}
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) {
    static_assert(std::derived_from<Promise, promise_base>,
                  "only filch's own tasks move between pools");
    mover_ = &caller.promise();
    if (!needs_to_move()) return caller;
    mover_->resumes = caller;
    base::task_is_ready(caller.address());
    return suspend(caller, &move, this);
  }
  static void await_resume() noexcept {}

 private:
  FILCH_EXPORT bool needs_to_move() const;
  FILCH_EXPORT static std::coroutine_handle<> move(void* self) noexcept;

  thread_pool& to_;
  promise_base* mover_ = nullptr;
};

}  // namespace detail

/// `co_await co::schedule_on(with(pool))`, in short `schedule_on(pool)`, moves the task to `pool`'s
/// workers, and with it what it calls and its callers, up to the spawned task or the `block_on`
/// that they belong to. That pool's destructor waits for them. A task that is there already goes on
/// at once.
///
/// In a forked task, in what it calls, and between a fork and its join, it ends the process with a
/// message.
/// Cost:   as `spawn`.
/// Throws: as `spawn`; the task then stays where it is.
[[nodiscard]] inline detail::moving schedule_on(sched::uses<sched::a_pool> to) {
  return detail::moving{to.pool_or_here()};
}

}  // namespace filch::co
