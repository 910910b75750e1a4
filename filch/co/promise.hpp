#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/stop_token.hpp>
#include <filch/co/completion.hpp>
#include <filch/co/frames.hpp>
#include <filch/co/result.hpp>
#include <filch/co/run_loop.hpp>
#include <filch/sched/detached_job.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <utility>

namespace filch {
template <class T>
class task;
}
namespace filch::sched {
class pool_core;
}

namespace filch::co {

namespace sync {
class interrupt_point;
}

enum class task_phase : unsigned char { not_begun, running, finished };

/// What every task's frame begins with. It is the job by which a worker resumes the task, or whoever the task returns to: of one call
/// only one of the two is ever to be resumed.
///
/// A task is called by a coroutine, or it is a *root*: spawned, or run by `block_on`. What a root calls, directly or not, belongs to it.
class promise_base : public sched::detached_job {
 public:
  promise_base() noexcept { finish = &run; }
  promise_base(const promise_base&) = delete;
  promise_base& operator=(const promise_base&) = delete;

  static void* operator new(std::size_t bytes) { return allocate_frame(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept { release_frame(frame, bytes); }
  void unhandled_exception() noexcept { error_ = std::current_exception(); }

  // ------------------------------------------------------------------------------------------------ any task
  /// The task is called, for `from`'s root where that is one of ours. Once.
  void begin(std::coroutine_handle<> from, promise_base* from_promise) noexcept;
  /// The task has returned. Who runs next.
  std::coroutine_handle<> leave(std::coroutine_handle<> self) noexcept {
    phase_ = task_phase::finished;
    return root_ == this ? suspend(self, &tell_waiter, this) : transfer(self, caller_, *this);
  }
  /// Puts the job at the end of the ready queue of the worker that this is, or else where its pool's workers take it from.
  void make_ready() noexcept;
  task_phase phase() const noexcept { return phase_; }
  /// What it threw, or null.
  const std::exception_ptr& error() const noexcept { return error_; }
  void rethrow_error() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  promise_base* root() const noexcept { return root_; }

  // ------------------------------------------------------------------------------------------------ roots
  /// It becomes a root of `pool`, which waits for it. `self` is its own handle.
  void begin_root(sched::pool_core& pool, std::coroutine_handle<> self) noexcept;
  /// The same, and hands it to the pool. `told` is who waits for it, if that is known by now.
  /// Throws: as `thread_pool::submit`; then it has not begun.
  void spawn_on(sched::pool_core& pool, std::coroutine_handle<> self, waiter* told = nullptr);
  completion& done() noexcept { return done_; }
  sched::pool_core& pool() const noexcept { return *pool_; }
  /// From now on it runs in `pool`, with all that it calls: resumed there next. Only while it is suspended.
  void move_to(sched::pool_core& pool, promise_base& suspended) noexcept;
  /// Made when somebody first asks. Threads: any that holds the handle, and the task itself. Throws: `std::bad_alloc`.
  std::stop_source stop_source();
  /// It is asked to stop with others. Before it begins.
  void share_stop_source(const std::stop_source& given) noexcept {
    base::lock_guard guard{stop_lock_};
    stop_source_ = given;
  }
  /// By which whoever asks it to stop ends its waits. Made when it first waits. Threads: the task itself. Throws: `std::bad_alloc`.
  sync::interrupt_point& interrupts();
  /// Frees the frame of a root that nobody waits for. An exception that it ended with goes to the pool's handler.
  void destroy_unobserved() noexcept;

 protected:
  ~promise_base() {
    if (interrupts_ != nullptr) [[unlikely]]
      drop_interrupts();
  }

 private:
  static void run(detached_job* self, fate end);
  void drop_interrupts() noexcept;
  static std::coroutine_handle<> tell_waiter(void* self) noexcept;

  task_phase phase_ = task_phase::not_begun;
  base::mutex stop_lock_;

 public:
  std::coroutine_handle<> resumes;  ///< By the job. Written before it is made ready; of a root always itself.

 private:
  std::coroutine_handle<> caller_;
  promise_base* root_ = nullptr;  ///< Null: called by a coroutine that is not ours.
  std::exception_ptr error_;
  // Of roots only. A pointer to them instead would be as long as the first.
  completion done_;
  union {
    sched::pool_core* pool_ = nullptr;                    ///< Until it is finished.
    void (*on_unobserved_)(std::exception_ptr) noexcept;  ///< From then on: the pool's handler, as the pool may be gone.
  };
  std::stop_source stop_source_ FILCH_GUARDED_BY(stop_lock_){std::nostopstate};
  sync::interrupt_point* interrupts_ = nullptr;  ///< Writer: the task.
};

/// The promise behind a handle, where it is one of ours.
template <class Promise>
promise_base* promise_of(std::coroutine_handle<Promise> of) noexcept {
  if constexpr (std::derived_from<Promise, promise_base>) {
    return &of.promise();
  } else {
    return nullptr;
  }
}

struct return_to_caller {
  static bool await_ready() noexcept { return false; }
  template <class Promise>
  static std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> finished) noexcept {
    return finished.promise().leave(finished);
  }
  static void await_resume() noexcept {}
};

template <class T>
class promise final : public promise_base, public result<T> {
 public:
  task<T> get_return_object() noexcept;
  static std::suspend_always initial_suspend() noexcept { return {}; }
  static return_to_caller final_suspend() noexcept { return {}; }
  /// Gives the value up. Once. Throws: what the task threw.
  T take() {
    rethrow_error();
    return result<T>::take();
  }
};

}  // namespace filch::co
