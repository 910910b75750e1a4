#pragma once
// A task of `spawn_after`, whatever the type of its function.
#include <filch/co/completion.hpp>
#include <filch/co/promise.hpp>
#include <filch/graph/countdowns.hpp>
#include <filch/graph/successors.hpp>
#include <filch/sched/detached_job.hpp>
#include <filch/sched/pool/with.hpp>

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

namespace filch::inline v0_2::graph {

class dependent;

/// Waits in the list of a task for its end.
struct successor : basic_successor<base::real_sync> {
  /// `waits` is null of what is no task: a `waiting`.
  explicit successor(dependent* waits = nullptr) noexcept : task{waits} {}
  dependent* task;
};

/// A thread or a coroutine that waits for the end of a task.
struct waiting : successor {
  explicit waiting(void (*how)(waiting&) noexcept) noexcept : wake{how} {}
  /// Lets it go on. It may be gone on return.
  void (*wake)(waiting& self) noexcept;
};

/// A task that begins when the tasks have ended on which it depends. As a job it is queued when it
/// is ready, unless the thread that ended the last of those runs it at once.
/// Lifetime: until it has ended and no handle, no task that depends on it, and no exception that it
/// passed on is left.
class dependent : public sched::detached_job {
 public:
  dependent(const dependent&) = delete;
  dependent& operator=(const dependent&) = delete;

  // -----------------------------------------------------------------------------------------------
  // its begin
  /// Where to spawn it: `given`, or if that is null this thread's pool, or else `default_pool()`.
  /// Throws: as `thread_pool::submit`.
  FILCH_EXPORT static sched::scheduler& admitting_pool(thread_pool* given);
  /// The pool waits for its end from now on; it waits for `count` others.
  FILCH_EXPORT void begin_waiting(std::uint32_t count) noexcept;
  /// One of those has ended. Returns true to the last: it is ready.
  // From two on, the number only matters to the next run, and there is none
  bool arrive() noexcept { return left_.arrive(waits_for_one_ ? 1 : 2); }
  /// It is ready. For the thread that spawns it.
  FILCH_EXPORT void submit() noexcept;
  /// The same for any thread.
  FILCH_EXPORT void submit_from_anywhere() noexcept;

  // -----------------------------------------------------------------------------------------------
  // its end
  bool has_ended() const noexcept { return successors_.has_ended(); }
  /// Adds what waits for it. Returns false if it has ended.
  bool add(successor& waits) noexcept { return successors_.add(waits); }
  /// Sleeps until it has ended. A worker gives its slot away.
  FILCH_EXPORT void wait() noexcept;
  /// Of one that has ended. Throws: what its function threw, or what it inherited.
  void rethrow() {
    if (origin_ != nullptr) [[unlikely]]
      rethrow_failure();
  }
  bool has_failed() const noexcept { return origin_ != nullptr; }

  /// It fails as `input` has, on which it depends, unless it has failed already. For the thread
  /// that runs it.
  FILCH_EXPORT void inherit(dependent& input) noexcept;
  /// The same for a spawned task, which `was_discarded` if its pool was stopped before it began.
  FILCH_EXPORT void inherit(const std::exception_ptr& input, bool was_discarded) noexcept;

  // -----------------------------------------------------------------------------------------------
  // its holders
  void hold() noexcept { holders_.add(); }
  void let_go() noexcept {
    if (holders_.leave()) operations_.destroy(*this);
  }
  bool is_held_once() const noexcept { return holders_.is_only_one(); }

 protected:
  /// What the types of its function and its inputs decide.
  struct operations {
    /// Calls the function; to discard it, only says that it was. Returns false if the task ends
    /// later, by `end_later`.
    bool (*run)(dependent& self, fate how) noexcept;
    void (*destroy)(dependent& self) noexcept;
  };
  /// It is held twice: by its first handle, and until it has ended. `begins` is a function of the
  /// task's own that calls `run_as_job`: recordings know a job by it.
  dependent(const operations& how, void (*begins)(detached_job*, fate), sched::scheduler& pool,
            priority how_urgent) noexcept
      : operations_{how}, pool_{&pool} {
    finish = begins;
    ends_later = true;
    urgency = how_urgent;
  }
  FILCH_EXPORT ~dependent();

  FILCH_EXPORT static void run_as_job(detached_job* self, fate how) noexcept;
  /// It fails by an exception of its own.
  FILCH_EXPORT void fail(std::exception_ptr thrown) noexcept;
  FILCH_EXPORT void fail_by_stop() noexcept;
  /// Begins the coroutine by which it ends. `told` calls `end_later`, perhaps before this returns.
  FILCH_EXPORT void begin_coroutine(co::promise_base& root, std::coroutine_handle<> self,
                                    co::waiter& told) noexcept;
  /// It has ended on a thread that does something else.
  FILCH_EXPORT void end_later() noexcept;

 private:
  class runner;
  using handler = void (*)(std::exception_ptr) noexcept;

  [[noreturn]] FILCH_EXPORT void rethrow_failure();
  void report_unseen() noexcept;
  successor* end() noexcept;
  template <class Ready>
  static waiting* tell(successor* first, Ready ready) noexcept;
  static void wake_all(waiting* first) noexcept;

  bool waits_for_one_ = false;
  /// A caller has the exception, or it gave way to another one. Writers: any.
  base::atomic<bool> was_seen_{false};
  arrivals left_;
  holders holders_{2};
  successors successors_;
  const operations& operations_;
  union {
    sched::scheduler* pool_;
    /// Once it has ended with an exception of its own: the pool's handler, as the pool may be gone.
    handler on_unseen_;
  };
  /// Whose exception ended it: its own, or that of a task on which it depends and which it holds.
  /// Null: none did. Writer: the thread that runs it.
  dependent* origin_ = nullptr;
  std::exception_ptr error_;  ///< If `origin_` is this. The same writer.
};

/// A coroutine that waits for the end of a task.
class awaiting_coroutine : waiting {
 public:
  awaiting_coroutine() noexcept : waiting{&go_on} {}
  awaiting_coroutine(const awaiting_coroutine&) = delete;
  awaiting_coroutine& operator=(const awaiting_coroutine&) = delete;
  ~awaiting_coroutine() {
    FILCH_ASSERT(!waits_, "a coroutine is not destroyed while it awaits a task of spawn_after",
                 this);
  }
  /// For `await_suspend` of `caller`, whose promise is `own` if that is one of ours.
  FILCH_EXPORT std::coroutine_handle<> suspend(dependent& of, std::coroutine_handle<> caller,
                                               co::promise_base* own, base::place where) noexcept;
  void resumed() noexcept { waits_ = false; }

 private:
  static std::coroutine_handle<> wait(void* self) noexcept;
  FILCH_EXPORT static void go_on(waiting& self) noexcept;

  dependent* of_ = nullptr;
  std::coroutine_handle<> caller_;
  co::promise_base* own_ = nullptr;
  bool waits_ = false;
};

/// Holds a task, or none.
class dependent_holder {
 public:
  dependent_holder() noexcept = default;
  /// Takes over one of its first two holds.
  explicit dependent_holder(dependent& made) noexcept : held_{&made} {}
  dependent_holder(const dependent_holder& other) noexcept : held_{other.held_} {
    if (held_ != nullptr) held_->hold();
  }
  dependent_holder(dependent_holder&& other) noexcept
      : held_{std::exchange(other.held_, nullptr)} {}
  dependent_holder& operator=(dependent_holder other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~dependent_holder() {
    if (held_ != nullptr) held_->let_go();
  }
  dependent* get() const noexcept { return held_; }

 private:
  dependent* held_ = nullptr;
};

}  // namespace filch::graph
