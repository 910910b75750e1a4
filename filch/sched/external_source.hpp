#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2::sched {

/// An event source: brings work from outside the pool, and a thread can block in it. A reactor, a
/// set of timers, messages from another machine.
///
/// One idle worker at a time, the poller, blocks in the source instead of on its futex. So an
/// arrival wakes a thread that can run what arrived, and no thread exists only to listen. Busy
/// workers poll between jobs; while all are busy one thread more blocks there. (driver/README.md,
/// "Work from outside") Attach it once, by `scheduler::attach`.
/// Threads: `poll` may be called by several workers at once, and beside a `wait_for`; `wait_for` by
/// one at a time.
/// Lifetime: outlives the pool it is attached to.
class external_source {
 public:
  /// Why a worker polls: it has no job, and will poll again soon; or it has jobs, and polls rarely.
  enum class look { for_want_of_work, between_jobs };

  /// Submits what has arrived to the pool, without waiting; between jobs all of it. Returns true if
  /// there was anything. Called on a worker with a slot, regular or the driver's: what it submits
  /// comes from that worker.
  virtual bool poll(look why) noexcept = 0;
  /// Blocks until something has arrived, and returns true without taking it; or returns false after
  /// `interrupt` or the time. `nanoseconds` is `no_deadline` or at most an hour. Called without a
  /// slot: must not run work, but may submit it, as from outside (`poll_scope`).
  virtual bool wait_for(std::uint64_t nanoseconds) noexcept = 0;
  /// Ends the wait under way, or else the next one.
  virtual void interrupt() noexcept = 0;
  /// The pool has ended, with all its threads; or this is the child of a fork(), which has none of
  /// them. No call follows, unless it is attached anew.
  virtual void left_alone() noexcept {}

  static constexpr std::uint64_t no_deadline = ~std::uint64_t{0};

 protected:
  ~external_source() = default;
};

}  // namespace filch::sched
