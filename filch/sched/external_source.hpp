#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::sched {

/// Whatever brings work from outside the pool and can be slept in: a reactor, timers, messages from
/// another machine.
///
/// One idle worker at a time sleeps in the source instead of on its futex, so that an arrival wakes
/// a thread that can run what arrived, and no thread exists only to listen. Busy workers look
/// between jobs; while all are busy one thread more sleeps there. (README, "Work from outside")
/// Threads: `poll` may be called by several workers at once, and beside a `wait_for`; `wait_for` by
/// one at a time.
/// Lifetime: outlives the pool it is attached to.
class external_source {
 public:
  /// Why a worker looks: it has nothing else to do, and will look again soon; or it has, and then
  /// looks seldom.
  enum class look { for_want_of_work, between_jobs };

  /// Submits to the pool what has arrived, without waiting; between jobs all of that. Returns true
  /// if that was anything. Called on a worker with a slot.
  virtual bool poll(look why) noexcept = 0;
  /// Sleeps until something has arrived, and returns true then, without taking it; or false after
  /// `interrupt` or the time. `nanoseconds` is `no_deadline` or at most an hour. Called without a
  /// slot: must not run work, but may submit it.
  virtual bool wait_for(std::uint64_t nanoseconds) noexcept = 0;
  /// Ends the wait under way, or else the next one.
  virtual void interrupt() noexcept = 0;
  /// The pool has ended, with all its threads; or this is the child of a fork(), where it has none.
  /// Nobody will look here any more.
  virtual void left_alone() noexcept {}

  static constexpr std::uint64_t no_deadline = ~std::uint64_t{0};

 protected:
  ~external_source() = default;
};

}  // namespace filch::sched
