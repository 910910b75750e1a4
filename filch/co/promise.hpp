#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/simulated_tasks.hpp>
#include <filch/base/stop_token.hpp>
#include <filch/co/completion.hpp>
#include <filch/co/frames.hpp>
#include <filch/co/join_counter.hpp>
#include <filch/co/result.hpp>
#include <filch/co/run_loop.hpp>
#include <filch/sched/detached_job.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <utility>

namespace filch::inline v0_2 {
template <class T>
class task;
}
namespace filch::inline v0_2::sched {
class scheduler;
}

namespace filch::inline v0_2::co {

namespace sync {
class cancellation_slot;
}

/// For `await_suspend` of `self`, a forked child that has returned: returns its parent, unless
/// another worker has taken that.
FILCH_EXPORT [[gnu::noinline]] std::coroutine_handle<> return_to_parent(
    std::coroutine_handle<> self, promise_base& child) noexcept;

enum class task_phase : unsigned char { not_begun, running, finished };

/// What every task's frame begins with. It is the job by which a worker resumes the task or its
/// caller: of one call, only one of the two can be resumed at a time.
///
/// A task is called by a coroutine, or it is a *root*: spawned, or run by `block_on`. What a root
/// calls, directly or not, belongs to it.
class promise_base : public sched::detached_job {
 public:
  promise_base() noexcept = default;
  promise_base(const promise_base&) = delete;
  promise_base& operator=(const promise_base&) = delete;

  static void* operator new(std::size_t bytes) { return allocate_frame(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept {
    base::task_gone(frame);
    release_frame(frame, bytes);
  }
  /// An exception of a forked child is further to the left, and wins.
  void unhandled_exception() noexcept { note_failure(std::current_exception(), ~std::uint32_t{0}); }

  // -----------------------------------------------------------------------------------------------
  // any task
  /// The task is called by `from`, and belongs to its root if that is one of ours. Once.
  void begin(std::coroutine_handle<> from, promise_base* from_promise) noexcept;
  /// The task has returned. Returns the coroutine to run next.
  std::coroutine_handle<> leave(std::coroutine_handle<> self) noexcept {
    phase_ = task_phase::finished;
    if (!forks_.is_joined()) [[unlikely]] {
      base::task_now_waits(self.address(), {base::a_task, &forks_});
      return suspend(self, &wait_for_forks, this);
    }
    base::task_ended(self.address());
    if (interrupts_ != nullptr) [[unlikely]]
      unlist();
    if (is_forked_) return return_to_parent(self, *this);
    return root_ == this ? suspend(self, &tell_waiter, this) : transfer(self, caller(), *this);
  }
  /// Puts the job at the end of this worker's ready queue, or else of the pool's injector.
  FILCH_EXPORT void make_ready(void (*how)(detached_job*, fate) = &run) noexcept;
  /// The job by which a worker resumes it. Its fields are written now, as most tasks never become a
  /// job.
  sched::detached_job* as_job(void (*how)(detached_job*, fate) = &run) noexcept {
    finish = how;
    has_begun = true;
    ends_later = root_ != nullptr;  // the root is counted, and its calls with it
    return this;
  }
  task_phase phase() const noexcept { return phase_; }
  /// What it threw, or null.
  const std::exception_ptr& error() const noexcept { return error_; }
  void rethrow_error() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  promise_base* root() const noexcept { return root_; }

  // -----------------------------------------------------------------------------------------------
  // forks
  /// The task is called, and may yet become a fork of `parent`.
  void begin_fork(std::coroutine_handle<> from, promise_base& parent) noexcept;
  /// From now on its parent may be taken.
  void become_fork() noexcept { is_forked_ = true; }
  /// Undoes `become_fork`: the parent was not published.
  void become_call() noexcept { is_forked_ = false; }
  std::coroutine_handle<> caller() const noexcept {
    return std::coroutine_handle<>::from_address(caller_);
  }
  /// The caller resumes the parent before this child has ended.
  void take_parent() noexcept {
    parent_was_taken_ = true;
    parent_->forks_.leave_one();
  }
  /// False: the child had ended when its parent resumed. For the thread that runs the parent.
  bool parent_was_taken() const noexcept { return parent_was_taken_; }
  /// The child has failed before its parent resumed.
  FILCH_EXPORT void tell_failure_to_parent() noexcept;
  /// Ends a forked child whose parent was taken. Returns the coroutine to run next, or null.
  static std::coroutine_handle<> end_apart(void* child) noexcept;
  join_counter& forks() noexcept { return forks_; }
  /// The task or one of its callers was forked, or one of its callers has not joined its forks.
  bool is_in_fork() const noexcept { return is_in_fork_; }

  // -----------------------------------------------------------------------------------------------
  // roots
  /// Makes it a root of `pool`, which waits for it. `self` is its own handle.
  void begin_root(sched::scheduler& pool, std::coroutine_handle<> self) noexcept;
  /// The same, and submits it to the pool. `told` is its waiter if that is known by now, `begins`
  /// the job that begins it.
  /// Throws: as `thread_pool::submit`; then it has not begun.
  FILCH_EXPORT void spawn_on(sched::scheduler& pool, std::coroutine_handle<> self,
                             priority how_urgent, waiter* told = nullptr,
                             void (*begins)(detached_job*, fate) = &run);
  /// The same in this thread's pool, or else in `default_pool()`, without a waiter yet.
  FILCH_EXPORT void spawn_here(std::coroutine_handle<> self, priority how_urgent);
  completion& done() noexcept { return done_; }
  /// For the job that was to begin a root: ends it at once, by `cancelled`.
  [[gnu::cold]] void end_without_beginning() noexcept;
  /// Sleeps until the task has ended; a worker gives its slot away. For a root or a forked child of
  /// which the caller holds the handle.
  FILCH_EXPORT void wait_for_end() noexcept;
  sched::scheduler& pool() const noexcept { return *pool_; }
  /// Moves a root, with all that it calls, to `pool`, and resumes `suspended` there. Only while it
  /// is suspended.
  void move_to(sched::scheduler& pool, promise_base& suspended) noexcept;
  /// Made on first use. Threads: any that holds the handle, and the task itself.
  /// Throws: `std::bad_alloc`.
  FILCH_EXPORT std::stop_source stop_source();
  /// Shares `given` with other tasks. Before it begins.
  void share_stop_source(const std::stop_source& given) noexcept {
    base::lock_guard guard{lock_};
    stop_source_ = given;
  }
  /// The cancellation slot by which a stop request to its root ends its waits. A root shares one
  /// with what it calls, as they wait in one place at a time; in a fork each task has its own. Made
  /// at the first wait or look at the token; from then on the pool knows it. Threads: the task
  /// itself.
  /// Throws: `std::bad_alloc`.
  sync::cancellation_slot& interrupts() {
    promise_base& waits = is_in_fork_ ? *this : *root_;
    return waits.interrupts_ != nullptr ? *waits.interrupts_ : waits.make_interrupts();
  }
  /// The token that tells whether its root was asked to stop. Threads, throws: as `interrupts`.
  FILCH_EXPORT std::stop_token stop_token();
  /// The handler of its pool. Of a finished root.
  auto on_unobserved() const noexcept { return on_unobserved_; }
  /// Frees the frame of a root without a waiter. The exception that ended it, if any, goes to the
  /// pool's handler.
  void destroy_unobserved() noexcept {
    if (error_) [[unlikely]]
      return destroy_with_error();
    resumes.destroy();
  }

  /// The job: begins or resumes it.
  FILCH_EXPORT static void run(detached_job* self, fate end);

 protected:
  void made_by(const char* function) noexcept { function_ = function; }
  ~promise_base() {
    if (interrupts_ != nullptr) [[unlikely]]
      drop_interrupts();
  }

 private:
  [[gnu::cold, gnu::noinline]] void be_discarded();
  FILCH_EXPORT [[gnu::cold, gnu::noinline]] void destroy_with_error() noexcept;
  void become_root(sched::scheduler& pool, std::coroutine_handle<> self) noexcept;
  void begin_spawned(sched::scheduler& pool, std::coroutine_handle<> self,
                     priority how_urgent) noexcept;
  [[gnu::noinline]] void spawn_slowly(std::coroutine_handle<> self, priority how_urgent);
  FILCH_EXPORT sync::cancellation_slot& make_interrupts();
  FILCH_EXPORT void unlist() noexcept;
  FILCH_EXPORT void drop_interrupts() noexcept;
  FILCH_EXPORT static std::coroutine_handle<> tell_waiter(void* self) noexcept;
  FILCH_EXPORT static std::coroutine_handle<> wait_for_forks(void* self) noexcept;
  static std::coroutine_handle<> finish_late(promise_base* ended) noexcept;
  /// Keeps the failure of the leftmost child: the one that was forked when the fewest had been left
  /// behind.
  FILCH_EXPORT void note_failure(std::exception_ptr error, std::uint32_t order) noexcept;

  // Adjacent, so that a compiler writes them in one store.
  task_phase phase_ = task_phase::not_begun;
  bool is_forked_ = false;         ///< It returns to its parent unless that is taken.
  bool is_in_fork_ = false;        ///< Other tasks of its root may run in parallel.
  bool parent_was_taken_ = false;  ///< Writer: the thread that took it.

 public:
  /// What the job resumes. Written before the job is made ready; of a root always the root itself.
  std::coroutine_handle<> resumes;

 private:
  union {
    const char* function_;  ///< The function that made the task. Kept for a root.
    void* caller_;          ///< Of a called task, from its begin on.
  };
  promise_base* root_;  ///< From its begin on. Null: called by another library's coroutine.
  std::exception_ptr error_;
  join_counter forks_;
  std::uint32_t error_order_;  ///< Of `error_`, if there is one.
  std::uint32_t order_;        ///< Of a forked child, among those that its parent has left behind.
  base::mutex lock_;           ///< Of the stop source, and of the failures of forked children.
  // The rest is for roots and forked children. A pointer to it would be as long as `done_`.
  completion done_;
  union {
    sched::scheduler* pool_;  ///< Of a root, until it is finished.
    /// Once it is finished: the pool's handler, as the pool may be gone.
    void (*on_unobserved_)(std::exception_ptr) noexcept;
    promise_base* parent_;  ///< Of a forked child.
  };
  std::stop_source stop_source_ FILCH_GUARDED_BY(lock_){std::nostopstate};
  sync::cancellation_slot* interrupts_ = nullptr;  ///< Writer: the task.
};

// In the header, though long, as each call runs it once.
inline void promise_base::begin(std::coroutine_handle<> from, promise_base* from_promise) noexcept {
  FILCH_ASSERT(phase_ == task_phase::not_begun, "a task is awaited or spawned once", phase_);
  phase_ = task_phase::running;
  caller_ = from.address();
  root_ = from_promise == nullptr ? nullptr : from_promise->root_;
  is_in_fork_ =
      from_promise != nullptr && (from_promise->is_in_fork_ || !from_promise->forks_.is_joined());
}

inline void promise_base::begin_fork(std::coroutine_handle<> from, promise_base& parent) noexcept {
  begin(from, &parent);
  is_in_fork_ = true;
  parent_ = &parent;
  order_ = parent.forks_.left();
}

/// The promise behind a handle, or null if it is not one of ours.
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
  task<T> get_return_object(base::place where = {},
                            const char* function = __builtin_FUNCTION()) noexcept;
  static std::suspend_always initial_suspend() noexcept { return {}; }
  static return_to_caller final_suspend() noexcept { return {}; }
  /// Moves the value out. Once. Throws: what the task threw.
  T take() {
    rethrow_error();
    return result<T>::take();
  }
};

}  // namespace filch::co
