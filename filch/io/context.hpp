#pragma once
#include <filch/base/exceptions.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/steady_time.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sched/external_source.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>

#include <cstdint>
#include <utility>

namespace filch::inline v0_2::io {
namespace detail {

/// A completed operation on its way from the thread that saw it to a worker with a slot.
struct completion {
  void (*deliver)(completion& self) noexcept;  ///< Afterwards the arrival may be gone.
  completion* next = nullptr;
};

}  // namespace detail

/// An `asio::io_context` that the idle workers of a pool run: `io::context io; thread_pool pool;
/// io.attach(pool);`.
///
/// Sockets and timers are made on `executor()`. It has no thread of its own: idle workers sleep in
/// it, one at a time. A task that awaits by `io::awaiting` resumes on a worker like any task.
///
/// A plain callback must be short and must not throw, fork or wait. It may submit, spawn, and wake
/// waiters, also while `thread_pool::stop` drains the pool. Once the pool takes no more jobs, these
/// throw `pool_stopped`, which the callback must catch.
/// Threads: everything from any thread, except constructor and destructor. Handlers run one at a
///          time, on some worker, perhaps one without a slot.
/// Lifetime: outlives the pool, and what was made on it: declare it first, or the process ends with
///          a message. The pool's end waits for the tasks that wait here, so first cancel those
///          that would wait for ever.
class context final : public sched::external_source {
 public:
  context() : keeps_running_{asio_context_.get_executor()} {}
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context() {
    FILCH_ASSERT(!is_attached_,
                 "an io::context outlives the pool it is attached to: declare it first", this);
  }

  /// Has the workers of `pool` poll this context. Once, and a pool has one source.
  /// Throws: `std::system_error` if the pool can have no thread.
  void attach(thread_pool& pool) {
    FILCH_ASSERT(!is_attached_, "an io::context is attached to one pool", this);
    pool_ = &pool;
    pool.core().attach(*this);
    is_attached_ = true;
  }
  thread_pool& pool() const noexcept {
    FILCH_ASSERT(pool_ != nullptr,
                 "a context is attached to its pool before executors of that are used", this);
    return *pool_;
  }
  /// The executor to make I/O objects on.
  asio::io_context::executor_type executor() noexcept { return asio_context_.get_executor(); }

  /// Called by an operation's handler: a worker with a slot will deliver `arrived`.
  void pass_on(detail::completion& arrived) noexcept {
    base::lock_guard guard{lock_};
    append(arrived);
  }

  /// The same outside of this context's handlers, so a worker must be made to poll. All under the
  /// lock, as the worker that takes `arrived` may end the context.
  void pass_on_from_outside(detail::completion& arrived) noexcept {
    base::lock_guard guard{lock_};
    append(arrived);
    is_interrupted_ = true;
    asio_context_.stop();
  }

  bool poll(look why) noexcept override {
    if (runs_.try_lock()) {
      restart();
      run_ready(why);
      runs_.unlock();
    }
    // One by one: a coroutine of another library that runs in a delivery may wait for the next one,
    // which other workers can take meanwhile.
    bool found = false;
    for (int left = most_at_once; left > 0; --left) {
      detail::completion* const first = take_arrival();
      if (first == nullptr) break;
      first->deliver(*first);
      found = true;
    }
    return found;
  }
  bool wait_for(std::uint64_t nanoseconds) noexcept override {
    base::lock_guard guard{runs_};
    restart();
    const bool sleeps = may_sleep();
    if (sleeps)
      nanoseconds == no_deadline ? static_cast<void>(asio_context_.run_one())
                                 : run_one_for(std::chrono::nanoseconds(nanoseconds));
    const bool has_arrived = end_sleep();
    has_slept_well_ = sleeps && has_arrived;
    return has_arrived;
  }
  void interrupt() noexcept override {
    {
      base::lock_guard guard{lock_};
      is_interrupted_ = true;
    }
    asio_context_.stop();
  }
  void left_alone() noexcept override { is_attached_ = false; }

 private:
  /// A limit, so that callbacks that post callbacks leave a worker time for its jobs.
  static constexpr int most_at_once = 64;

  /// For the holder of `runs_`. Asio learns only from the kernel that nothing more is ready. A
  /// worker that polls again soon may skip that call.
  void run_ready(look why) {
    const int most = why == look::for_want_of_work && single_.are_usual() ? 1 : most_at_once;
    int ran = std::exchange(has_slept_well_, false);
    while (ran < most && asio_context_.poll_one() > 0) ++ran;
    single_.came(ran);
  }
  /// Uses a timer, which Asio has the kernel keep to the nanosecond. Asio's own `run_one_for`
  /// sleeps for whole milliseconds, but needs no memory.
  void run_one_for(std::chrono::nanoseconds length) {
    FILCH_TRY {
      limit_.expires_after(length);
      limit_.async_wait([](const asio::error_code&) {});
    }
    FILCH_CATCH_ALL { return static_cast<void>(asio_context_.run_one_for(length)); }
    asio_context_.run_one();
    if (limit_.cancel() != 0) asio_context_.poll_one();  // most likely the end of that wait
  }
  /// For the holder of `runs_`: an interrupt may have stopped the context while no worker slept.
  void restart() {
    if (asio_context_.stopped()) asio_context_.restart();
  }
  /// False if the poller was interrupted since the last sleep. It then sees what its waker did
  /// before that.
  bool may_sleep() noexcept {
    base::lock_guard guard{lock_};
    return first_ == nullptr && !is_interrupted_;
  }
  /// True: a completion has arrived.
  bool end_sleep() noexcept {
    base::lock_guard guard{lock_};
    is_interrupted_ = false;
    return first_ != nullptr;
  }
  void append(detail::completion& arrived) noexcept FILCH_REQUIRES(lock_) {
    (last_ == nullptr ? first_ : last_->next) = &arrived;
    last_ = &arrived;
  }
  detail::completion* take_arrival() noexcept {
    base::lock_guard guard{lock_};
    detail::completion* const taken = first_;
    if (taken != nullptr) first_ = taken->next;
    if (first_ == nullptr) last_ = nullptr;
    return taken;
  }

  thread_pool* pool_ = nullptr;  ///< Set by `attach`.
  /// The threads of a pool poll here. Writers: `attach`, the end of the pool.
  bool is_attached_ = false;
  base::mutex runs_;  ///< Held by the runner of Asio's handlers, also while it sleeps there.
  base::mutex lock_;
  bool is_interrupted_ FILCH_GUARDED_BY(lock_) = false;  ///< Since the last sleep ended.
  detail::completion* first_ FILCH_GUARDED_BY(lock_) = nullptr;
  detail::completion* last_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// The last sleep ended with a handler, and no look came since. Guarded by `runs_`.
  bool has_slept_well_ = false;
  policy::single_arrivals single_;  ///< Guarded by `runs_`.
  asio::io_context asio_context_;
  asio::executor_work_guard<asio::io_context::executor_type> keeps_running_;
  asio::steady_timer limit_{asio_context_};  ///< Of the present sleep. Guarded by `runs_`.
};

}  // namespace filch::io
