#pragma once
#include <filch/co/task.hpp>
#include <filch/sched/pool/pool.hpp>

#include <coroutine>
#include <optional>
#include <utility>

namespace filch::inline v0_2 {

namespace co::detail {

using spawn_options = sched::uses<sched::a_pool | sched::a_priority>;

/// The waiter of a task whose handle was dropped: frees the frame when the task ends.
FILCH_EXPORT extern waiter detached_waiter;

/// A coroutine that awaits one root or a task set.
struct awaiting_coroutine : waiter {
  /// `awaited` is the frame of the root, or the task set.
  template <class Promise>
  awaiting_coroutine(std::coroutine_handle<Promise> caller, const void* awaited,
                     base::place where) noexcept
      : waiter{&go_on}, handle{caller}, own{promise_of(caller)} {
    if (own != nullptr) own->resumes = caller;
    base::task_waits(caller.address(), {base::a_task, awaited}, where);
  }
  FILCH_EXPORT static std::coroutine_handle<> go_on(waiter& self, promise_base& finished) noexcept;

  std::coroutine_handle<> handle;
  promise_base* own;  ///< Of `handle`. Null: another library's coroutine.
};

}  // namespace co::detail

/// Begins `begun` on a worker of this thread's pool, or else of `default_pool()`, and returns at
/// once. The pool's destructor waits for it.
/// Cost:    a push to the ready queue, some 20 ns; 1 to 2 us more if a sleeping worker must be
///          woken. No allocation.
/// Threads: any.
/// Throws:  `pool_stopped` after `request_stop`; `std::bad_alloc` or `std::system_error` if the
///          pool has no thread and the system refuses one. The task is then dropped and never
///          begins.
template <class T>
join_handle<T> spawn(task<T> begun) {
  const std::coroutine_handle<co::promise<T>> frame = co::detail::task_access::frame_of(begun);
  frame.promise().spawn_here(frame, priority::normal);
  return co::detail::task_access::handle_of(begun);
}
/// The same with options, `spawn(with(pool, priority::high), t)`, or in a pool, `spawn(pool, t)`.
///
/// The priority also holds for all that the task calls and forks, whenever it resumes after a wait.
/// What it spawns has its own. Tasks of one priority that one job or coroutine spawns begin in that
/// order.
template <class T>
join_handle<T> spawn(co::detail::spawn_options how, task<T> begun) {
  const std::coroutine_handle<co::promise<T>> frame = co::detail::task_access::frame_of(begun);
  if (how.pool != nullptr) {
    frame.promise().spawn_on(how.pool->core(), frame, how.urgency);
  } else {
    frame.promise().spawn_here(frame, how.urgency);
  }
  return co::detail::task_access::handle_of(begun);
}
/// As it was called in 0.1.
template <class T>
[[deprecated("use spawn(with(priority), task)")]] join_handle<T> spawn(task<T> begun,
                                                                       priority urgency) {
  return spawn(with(urgency), std::move(begun));
}
template <class T>
[[deprecated("use spawn(with(pool, priority), task)")]] join_handle<T> spawn(thread_pool& pool,
                                                                             task<T> begun,
                                                                             priority urgency) {
  return spawn(with(pool, urgency), std::move(begun));
}

/// The handle of a spawned task. If it is dropped, the task runs on by itself.
///
/// `co_await` of it gives what the task returns or throws, once. Move-only.
///
/// A stop request to the awaiter neither ends this wait nor reaches the task, which may refer to
/// what its awaiter has. So the task is shielded from requests that are meant for others, and
/// `with_timeout` around such a wait takes as long as the task. To be able to leave, wait for an
/// event or a `oneshot` that the task sets. To stop both, spawn the task in a `co::scope`.
///
/// An exception without an awaiter goes to `pool_options::on_escaped_exception`, as for a submitted
/// job, whether the handle was dropped before or after it. Without a handler the process ends.
///
/// If `request_stop` finds a task that has not begun, the task never runs. Its await throws
/// `pool_stopped`. Without an awaiter nothing is reported.
/// Threads: one at a time. The awaiter resumes in the pool that it runs in; a coroutine of another
///          library resumes where the task ended. Such a coroutine may be destroyed while it
///          awaits, which drops the handle. Once the task has ended and is about to resume it, that
///          ends the process with a message.
template <class T = void>
class join_handle {
 public:
  join_handle(join_handle&& other) noexcept : frame_{std::exchange(other.frame_, nullptr)} {}
  join_handle& operator=(join_handle&& other) noexcept {
    if (this != &other) {
      detach();
      frame_ = std::exchange(other.frame_, nullptr);
    }
    return *this;
  }
  ~join_handle() { detach(); }

  /// Asks the task to stop, which its `co::get_stop_token` tells. It runs on until it looks.
  /// Throws: `std::bad_alloc`.
  void cancel() { promise().stop_source().request_stop(); }
  /// True if an await would not suspend.
  bool is_finished() const noexcept { return promise().done().is_finished(); }
  /// Lets the task run on by itself; the handle is empty then.
  void detach() noexcept {
    if (frame_) drop(std::exchange(frame_, nullptr));
  }

  auto operator co_await() noexcept {
    static_cast<void>(promise());
    return join{std::exchange(frame_, nullptr)};
  }

 private:
  using frame = std::coroutine_handle<co::promise<T>>;

  /// Owns the frame, from the await on.
  class [[nodiscard]] join {
   public:
    explicit join(frame awaited) noexcept : awaited_{awaited} {}
    join(const join&) = delete;
    join& operator=(const join&) = delete;
    // Drops the handle if it was never awaited, or if a coroutine of another library is destroyed
    // while it waits.
    ~join() {
      if (waiter_) [[unlikely]]
        take_back();
      drop(awaited_);
    }

    bool await_ready() const noexcept { return awaited_.promise().done().is_finished(); }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller,
                                          base::place where = {}) noexcept {
      waiter_.emplace(caller, awaited_.address(), where);
      return co::suspend(caller, &wait, this);
    }
    T await_resume() {
      waiter_.reset();
      return awaited_.promise().take();
    }

   private:
    void take_back() noexcept {
      FILCH_ASSERT(awaited_.promise().done().take_back(*waiter_),
                   "the awaiter of a spawned task is not destroyed once the task has ended and is "
                   "to resume it",
                   awaited_.address());
    }
    static std::coroutine_handle<> wait(void* self) noexcept {
      join& mine = *static_cast<join*>(self);
      co::completion& done = mine.awaited_.promise().done();
      const bool is_ours = mine.waiter_->own != nullptr;  // never destroyed while it waits
      return (is_ours ? done.leave_for_good(*mine.waiter_) : done.leave(*mine.waiter_))
                 ? nullptr
                 : mine.waiter_->handle;
    }
    frame awaited_;
    std::optional<co::detail::awaiting_coroutine> waiter_;
  };

  explicit join_handle(frame begun) noexcept : frame_{begun} {}
  static void drop(frame from) noexcept {
    co::promise<T>& task = from.promise();
    if (task.done().is_finished() || !task.done().leave_for_good(co::detail::detached_waiter))
      task.destroy_unobserved();
  }
  co::promise<T>& promise() const noexcept {
    FILCH_ASSERT(frame_, "a spawned task is awaited once, and not used after a move or detach",
                 frame_.address());
    return frame_.promise();
  }

  frame frame_;  ///< Null: moved from, detached, awaited.
  friend co::detail::task_access;
  template <class U>
  friend U block_on(join_handle<U> awaited);
};

/// As it was called in 0.1.
template <class T = void>
using spawned [[deprecated("use join_handle")]] = join_handle<T>;

}  // namespace filch
