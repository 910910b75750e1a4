#pragma once
#include <filch/base/atomic.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/stop_token.hpp>
#include <filch/co/countdown.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/task.hpp>

#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace filch::co {

/// Spawned tasks that somebody waits for together, and that are cancelled together: what `scope`,
/// `when_all` and `when_any` are made of.
class task_set : waiter {
 public:
  /// What makes the rest unneeded, so that it is cancelled. After a failure no child begins; of
  /// several of which one ends first each is tried, as is an operation whose time is over.
  enum class over_after : unsigned char { failure, any_end };
  /// Whether a child's frame is freed when it ends, or lies where its result is looked for.
  enum class frames : unsigned char { freed, kept };

  /// Throws: `std::bad_alloc`.
  task_set(std::stop_token outer, over_after when, frames what);
  ~task_set();
  task_set(const task_set&) = delete;
  task_set& operator=(const task_set&) = delete;

  /// Throws: as `filch::spawn`; the child has then not begun.
  void adopt(promise_base& child, std::coroutine_handle<> self,
             priority urgency = priority::normal);
  void cancel() noexcept { stop_.request_stop(); }
  std::stop_token get_token() const noexcept { return stop_.get_token(); }
  /// The child that made the others unneeded, or null. After the wait.
  const promise_base* first() const noexcept { return first_; }
  /// When that one ended, by `base::now_ns`, if any end makes the rest unneeded. After the wait.
  std::uint64_t first_end_ns() const noexcept { return first_end_ns_; }

  class [[nodiscard]] joining {
   public:
    explicit joining(task_set& all) noexcept : all_{all} {}
    joining(const joining&) = delete;
    joining& operator=(const joining&) = delete;
    // A coroutine of another library that is destroyed while it waits.
    ~joining() {
      if (me_) [[unlikely]]
        all_.take_back_parent();
    }
    static bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller,
                                          base::place where = {}) noexcept {
      me_.emplace(caller, &all_, where);
      return suspend(caller, &wait, this);
    }
    /// Throws: the first failure, where that is what ends the family.
    void await_resume() {
      me_.reset();
      all_.rethrow();
    }

   private:
    static std::coroutine_handle<> wait(void* self) noexcept;
    task_set& all_;
    std::optional<awaiting_coroutine> me_;
  };
  /// Waits until all have ended. Once.
  joining join() noexcept { return joining{*this}; }

 private:
  static void begin_child(sched::detached_job* child, sched::detached_job::fate end);
  static std::coroutine_handle<> child_ended(waiter& self, promise_base& child) noexcept;
  bool has_failed(const promise_base& child) const noexcept;
  void look_at(promise_base& child) noexcept;
  void report_unseen() noexcept;
  bool is_left_by_exception() const noexcept;
  /// False: nobody is left to wait for, and nobody will tell `waits`.
  bool wait_with(waiter& waits) noexcept;
  /// Who waited does no more: it is again as if nobody had joined.
  void take_back_parent() noexcept;
  void rethrow();

  struct cancelling {
    std::stop_source& stops;
    void operator()() const noexcept { stops.request_stop(); }
  };

  countdown left_;
  waiter* parent_ = nullptr;  ///< Who waits. Written before its own count ends, read by the last.
  std::stop_source stop_;
  const over_after when_;
  const frames frames_;
  /// Writer: the first child that failed. Readers: children that are to begin.
  base::atomic<bool> has_failed_{false};
  base::mutex lock_;
  /// Writers: children, under `lock_`. Readers: who has waited for all.
  const promise_base* first_ = nullptr;
  std::uint64_t first_end_ns_ = 0;  ///< As `first_`.
  std::exception_ptr error_ FILCH_GUARDED_BY(lock_);
  /// The first failure is that the pool was stopped before it began.
  bool was_discarded_ FILCH_GUARDED_BY(lock_) = false;
  /// Of this thread, which a plain function stays on.
  const int exceptions_before_ = std::uncaught_exceptions();
  base::stop_callback<cancelling> outer_;
};

/// A nursery: tasks that are begun together and end together. `co_await nursery.join()` waits for
/// all of them.
///
/// The first child that throws cancels the others, and those that have not begun never do; `join`
/// throws that exception once all have ended, and drops later ones. After `cancel` children begin
/// nevertheless, and see that they are to stop. Children may spawn further children. A scope that
/// is left without `join` cancels its children and waits for them in its destructor; a child's
/// exception then goes to `pool_options::on_escaped_exception`, unless the scope is left by an
/// exception itself. The same where a coroutine of another library is destroyed in the middle of
/// its join; once the last child has ended and is to resume it, that ends the process with a
/// message.
/// Threads: `spawn` by the coroutine or function that made the scope before it joins, and by its
/// children; `cancel` by any.
/// Blocks: only the destructor, and only without `join`: the thread gives its slot away and sleeps.
/// Throws:  the constructor `std::bad_alloc`; `spawn` as `filch::spawn`.
/// Lifetime: outlives its children. What they refer to must live as long: declare it before the
/// scope.
class scope {
 public:
  /// Cancelled, too, when `outer` is: pass `co_await co::get_stop_token()` to be cancelled with the
  /// task that this is in.
  explicit scope(std::stop_token outer = {})
      : children_{std::move(outer), task_set::over_after::failure, task_set::frames::freed} {}

  template <class T>
  void spawn(task<T> child, priority urgency = priority::normal) {
    const std::coroutine_handle<promise<T>> frame = task_access::frame_of(child);
    children_.adopt(frame.promise(), frame, urgency);
    task_access::release(child);
  }
  /// Asks all children to stop, and those to come.
  void cancel() noexcept { children_.cancel(); }
  /// As the children see it.
  std::stop_token get_token() const noexcept { return children_.get_token(); }
  /// Awaitable: waits until all children have ended. Once, and last. Throws: what the first that
  /// failed threw.
  auto join() noexcept { return children_.join(); }

 private:
  task_set children_;
};

}  // namespace filch::co
