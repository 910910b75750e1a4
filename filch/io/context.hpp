#pragma once
#include <filch/base/exceptions.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/panic.hpp>
#include <filch/base/steady_time.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sched/external_source.hpp>
#include <filch/sched/pool.hpp>
#include <filch/sched/scheduler.hpp>

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>

#include <cstdint>
#include <utility>

namespace filch::io {

/// What an operation has brought, on its way from the thread that saw it to a worker with a slot.
struct completion {
  void (*deliver)(completion& self) noexcept;  ///< Afterwards the arrival may be gone.
  completion* next = nullptr;
};

/// An `asio::io_context` that the idle workers of a pool run: `io::context io; thread_pool pool;
/// io.attach(pool);`.
///
/// Sockets and timers are made on `executor()`. No thread belongs to it: who has nothing to do
/// sleeps in it, one worker at a time.
/// Threads: everything from any thread, but for constructor and destructor. Handlers run one at a
/// time, on some worker, perhaps one without a slot: a plain
///           callback must be short and must not throw, fork or wait; it may submit, spawn, and
///           wake who waits, also while `thread_pool::stop` drains the pool. Once that takes
///           nothing any more they throw `pool_stopped`, which the callback must catch. What a task
///           awaits by `io::awaiting` runs on a worker like any task.
/// Lifetime: outlives the pool, and what was made on it: declare it first, or the process ends with
/// a message. The pool's end waits for the tasks that wait here, so cancel those first that wait
/// for ever.
class context final : public sched::external_source {
 public:
  context() : keeps_running_{asio_context_.get_executor()} {}
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context() {
    FILCH_ASSERT(!is_attached_,
                 "an io::context outlives the pool it is attached to: declare it first", this);
  }

  /// From now on the workers of `pool` look here. Once, and a pool has one source.
  /// Throws: `std::system_error` where the pool can have no thread.
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
  /// What I/O objects are made on.
  asio::io_context::executor_type executor() noexcept { return asio_context_.get_executor(); }

  /// Of the handler of an operation, while it runs: `arrived` is delivered by a worker with a slot.
  void pass_on(completion& arrived) noexcept {
    base::lock_guard guard{lock_};
    append(arrived);
  }

  /// The same by who runs none of the handlers here, so that somebody must be made to look. All
  /// under the lock, as whoever takes the arrival may end the context.
  void pass_on_from_outside(completion& arrived) noexcept {
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
    // One by one: what runs in its delivery, a coroutine of another library, may wait for the next,
    // which others can take meanwhile.
    bool found = false;
    for (int left = most_at_once; left > 0; --left) {
      completion* const first = take_arrival();
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
  /// So that callbacks which beget callbacks leave a worker time for its jobs.
  static constexpr int most_at_once = 64;

  /// By who holds `runs_`. To learn that nothing more is ready takes Asio a call of the kernel,
  /// which who looks again soon may do without.
  void run_ready(look why) {
    const int most = why == look::for_want_of_work && single_.are_usual() ? 1 : most_at_once;
    int ran = std::exchange(has_slept_well_, false);
    while (ran < most && asio_context_.poll_one() > 0) ++ran;
    single_.came(ran);
  }
  /// By a timer, which Asio has the kernel keep to the nanosecond; its own `run_one_for` sleeps for
  /// whole milliseconds, and needs no memory.
  void run_one_for(std::chrono::nanoseconds length) {
    FILCH_TRY {
      limit_.expires_after(length);
      limit_.async_wait([](const asio::error_code&) {});
    }
    FILCH_CATCH_ALL { return static_cast<void>(asio_context_.run_one_for(length)); }
    asio_context_.run_one();
    if (limit_.cancel() != 0) asio_context_.poll_one();  // most likely the end of that wait
  }
  /// By who holds `runs_`: an interrupt has stopped the context, perhaps when nobody slept in it.
  void restart() {
    if (asio_context_.stopped()) asio_context_.restart();
  }
  /// Who was interrupted since the last sleep is not to begin one: it sees what its waker did
  /// before.
  bool may_sleep() noexcept {
    base::lock_guard guard{lock_};
    return first_ == nullptr && !is_interrupted_;
  }
  /// True: something has arrived.
  bool end_sleep() noexcept {
    base::lock_guard guard{lock_};
    is_interrupted_ = false;
    return first_ != nullptr;
  }
  void append(completion& arrived) noexcept FILCH_REQUIRES(lock_) {
    (last_ == nullptr ? first_ : last_->next) = &arrived;
    last_ = &arrived;
  }
  completion* take_arrival() noexcept {
    base::lock_guard guard{lock_};
    completion* const taken = first_;
    if (taken != nullptr) first_ = taken->next;
    if (first_ == nullptr) last_ = nullptr;
    return taken;
  }

  thread_pool* pool_ = nullptr;  ///< Set by `attach`.
  /// The threads of a pool look here. Written by `attach`, and by the end of the pool.
  bool is_attached_ = false;
  base::mutex runs_;  ///< Held by who runs Asio's handlers, also while it sleeps there.
  base::mutex lock_;
  bool is_interrupted_ FILCH_GUARDED_BY(lock_) = false;  ///< Since the last sleep ended.
  completion* first_ FILCH_GUARDED_BY(lock_) = nullptr;
  completion* last_ FILCH_GUARDED_BY(lock_) = nullptr;
  /// The last sleep ended with a handler, and nobody has looked since. For who holds `runs_`.
  bool has_slept_well_ = false;
  policy::single_arrivals single_;  ///< For who holds `runs_`.
  asio::io_context asio_context_;
  asio::executor_work_guard<asio::io_context::executor_type> keeps_running_;
  asio::steady_timer limit_{asio_context_};  ///< Of the sleep under way. Used by who holds `runs_`.
};

}  // namespace filch::io
