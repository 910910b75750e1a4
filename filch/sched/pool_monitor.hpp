#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/parker.hpp>
#include <filch/base/sync.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/timer_heap.hpp>

namespace filch::sched {

class scheduler;

/// A call at a time, on the monitor's thread: `go_on`. Lies in the frame of the caller.
struct timed_call : timer {
  bool is_being_made = false;  ///< Under the monitor's lock, as the next.
  bool is_over = false;
};

/// A thread of a pool that looks at it whatever its workers do, for three reasons:
/// - The pool follows the CPU budget and is in use: twice a second it reviews the budget. If the
///   system refuses the thread, searching workers alone do.
/// - A thread could not be had for a queued job: twice a second it looks whether the pool is
///   starved, and reports it once.
/// - The pool has one worker, which may compute, and something is to be asked to stop at a time: it
///   does that.
/// The first of these starts it. It sleeps while there is none.
class pool_monitor {
 public:
  /// A pool of a fixed number of workers, or of one worker, follows no budget.
  pool_monitor(scheduler& pool, bool follows_budget) noexcept
      : pool_{pool}, follows_budget_{follows_budget}, is_asleep_{follows_budget} {}

  /// A slot was taken. Cost: a load; 1 to 2 us after the pool was idle. Threads: any.
  void note_use() noexcept {
    // Relaxed: the idle word orders it (edge::announce)
    if (is_asleep_.load(base::relaxed)) [[unlikely]]
      wake();
  }
  /// A job is queued, a slot is free, and no thread could be had for it. Threads: any.
  void note_shortage() noexcept;
  /// Calls `call.go_on` when it is due, unless `forget` comes first. Threads: any.
  void remember(timed_call& call) noexcept;
  /// Afterwards the call is not made. Blocks: while it is being made. Threads: any but the
  /// monitor's.
  void forget(timed_call& call) noexcept;
  /// Ends the thread. Threads: the one that destroys the pool, after its workers have ended.
  void end() noexcept;

 private:
  void wake() noexcept;
  void start_or_unpark() noexcept FILCH_REQUIRES(lock_);
  void run() noexcept;
  bool falls_asleep() noexcept;
  void look_for_starvation() noexcept;
  /// Makes the calls that are due. How long it may sleep then, in nanoseconds; `timer::never`: as
  /// long as it likes.
  std::uint64_t call_due() noexcept;

  scheduler& pool_;
  const bool follows_budget_;
  /// As to the budget, or not started. Writers: itself; whoever wakes it, under `lock_`.
  base::atomic<bool> is_asleep_;
  /// Writers: `note_shortage`, under `lock_`; itself. Readers: both.
  base::atomic<bool> is_short_{false};
  /// Writer: `end`, under `lock_`. Readers: itself, `note_shortage`.
  base::atomic<bool> ends_{false};
  /// Of its own, as the next: 0 while the pool is not starved.
  std::uint64_t starved_since_ns_ = 0;
  std::uint64_t jobs_begun_ = 0;  ///< When it looked last.
  bool is_reported_ = false;      ///< As starved, since it began a job.
  base::parker parker_;
  base::mutex lock_;
  timer_heap calls_ FILCH_GUARDED_BY(lock_);
  std::uint64_t sleeps_until_ns_ FILCH_GUARDED_BY(lock_) = timer::never;  ///< It gets up by then.
  base::thread thread_ FILCH_GUARDED_BY(lock_);
};

}  // namespace filch::sched
