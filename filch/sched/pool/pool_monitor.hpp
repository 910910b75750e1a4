#pragma once
#include <filch/base/mutex.hpp>
#include <filch/base/parker.hpp>
#include <filch/base/sync.hpp>
#include <filch/base/thread.hpp>
#include <filch/sched/timer_heap.hpp>

namespace filch::inline v0_2::sched {

class pool_state;

/// A call of `go_on` on the monitor's thread when its time has come. Lies in the caller's frame.
struct timed_call : timer {
  bool is_being_made = false;  ///< Under the monitor's lock, as the next.
  bool is_over = false;
};

/// A thread of a pool that runs no jobs. It does three things, whatever the workers do:
/// - While a pool that follows the CPU budget is in use, it asks for a review twice a second,
///   beside searching workers. The budget is read at most once a second (`review_budget`), so a
///   change is followed within a second or two. If the system refuses the thread, only searching
///   workers ask, and with one slot, or with all workers in long loops, no worker searches.
/// - After no thread could be started for a queued job, it looks twice a second whether the pool is
///   starved, and reports it once.
/// - In a pool of one worker, which may compute, it makes the calls that ask a task to stop at a
///   time.
/// The first of these starts it. It parks while none is needed.
class pool_monitor {
 public:
  /// A pool of a fixed number of workers, or of one worker, follows no budget.
  pool_monitor(pool_state& pool, bool follows_budget) noexcept
      : pool_{pool}, follows_budget_{follows_budget}, is_asleep_{follows_budget} {}

  /// A slot was taken. Cost: a load; 1 to 2 us after the pool was idle. Threads: any.
  void note_use() noexcept {
    // Relaxed: the idle word orders it (edge::announce)
    if (is_asleep_.load(base::relaxed)) [[unlikely]]
      wake();
  }
  /// A job is queued, a slot is free, and no thread could be started for it. Threads: any.
  void note_shortage() noexcept;
  /// Calls `call.go_on` when it is due, unless `forget` comes first. Threads: any.
  void remember(timed_call& call) noexcept;
  /// On return the call is over, or will not be made. Blocks: while it is being made.
  /// Threads: any but the monitor's.
  void forget(timed_call& call) noexcept;
  /// Ends the thread. Threads: the one that destroys the pool, after its jobs have ended and before
  /// its workers do.
  void end() noexcept;

 private:
  void wake() noexcept;
  void start_or_unpark() noexcept FILCH_REQUIRES(lock_);
  void run() noexcept;
  bool falls_asleep() noexcept;
  void look_for_starvation() noexcept;
  /// Makes the calls that are due. Returns how long it may park then, in nanoseconds;
  /// `timer::never`: without a timeout.
  std::uint64_t call_due() noexcept;

  pool_state& pool_;
  const bool follows_budget_;
  /// Does not review the budget now: parked, or not started. Writers: itself; its waker, under
  /// `lock_`.
  base::atomic<bool> is_asleep_;
  /// Writers: `note_shortage`, under `lock_`; itself. Readers: both.
  base::atomic<bool> is_short_{false};
  /// Writer: `end`, under `lock_`. Readers: itself, `note_shortage`.
  base::atomic<bool> ends_{false};
  // These three are read and written by the monitor alone.
  std::uint64_t starved_since_ns_ = 0;  ///< 0 while the pool is not starved.
  std::uint64_t jobs_begun_ = 0;        ///< At its last look.
  bool is_reported_ = false;            ///< As starved, since a job last began.
  base::parker parker_;
  base::mutex lock_;
  timer_heap calls_ FILCH_GUARDED_BY(lock_);
  std::uint64_t sleeps_until_ns_ FILCH_GUARDED_BY(lock_) = timer::never;  ///< It wakes by then.
  base::thread thread_ FILCH_GUARDED_BY(lock_);
};

}  // namespace filch::sched
