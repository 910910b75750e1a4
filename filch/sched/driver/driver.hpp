#pragma once
#include <filch/policy/tuning.hpp>
#include <filch/sched/parking/parking_lot.hpp>

#include <cstdint>

namespace filch::inline v0_2::sched {

/// How every parked worker sleeps: until a wake, on its futex or, as the poller, in the event
/// source. A sleeper with a duty also wakes for the first timer, the next look at private forks, or
/// the next look whether a worker polls. (README.md; sched/README.md, "The driver")
/// Threads: a parked worker's own, for all functions.
class driver {
 public:
  explicit driver(parking_lot& of) noexcept : parking_{of} {}

  struct begun {
    bool ends = false;      ///< The pool ends: do not sleep.
    bool is_timed = false;  ///< It is the one that looks for private forks.
  };
  /// Enters the list of sleepers and gives the slot back, with the search that it counts for. The
  /// caller then looks for work once more, before `sleep`.
  begun begin_sleep(sleeper& me) noexcept;
  /// Sleeps until it has a slot and searches, or the pool ends.
  void sleep(sleeper& me, bool is_timed, policy::thief_tuning& tuning) noexcept {
    if (!is_timed || sleep_timed(me, tuning)) sleep_on(me);
  }

 private:
  enum class wake_cause : unsigned char {
    by_somebody,
    by_source,
    by_clock,
    by_time,  ///< It has not slept: a timer was due.
  };
  /// What a sleeper does for the source. It may have duties for timers and forks beside that.
  enum class duty : unsigned char { none, poller, backup_poller };
  struct duty_change {
    bool was_backup_poller = false;
    duty now = duty::none;
    std::uint64_t looks_again_ns = external_source::no_deadline;  ///< As the backup poller.
  };
  FILCH_EXPORT bool sleep_timed(sleeper& me, policy::thief_tuning& tuning) noexcept;
  bool goes_on_timed(sleeper& me, bool is_last) noexcept;
  void end_timed_parks(sleeper& me) noexcept;
  FILCH_EXPORT void sleep_on(sleeper& me) noexcept;
  bool wait_for_slot(sleeper& me) noexcept;
  std::uint64_t drive_timers(sleeper& me) noexcept FILCH_REQUIRES(parking_.lock_);
  std::uint64_t drive_timers_unless_all_work(sleeper& me) noexcept;
  wake_cause sleep_for(sleeper& me, std::uint64_t nanoseconds) noexcept;
  wake_cause block_in_source(sleeper& me, std::uint64_t nanoseconds) noexcept;
  duty_change take_duty(sleeper& me) noexcept;

  parking_lot& parking_;
  /// Of `timer_driver_`, whichever worker that is.
  policy::timer_backoff timer_backoff_ FILCH_GUARDED_BY(parking_.lock_);
};

}  // namespace filch::sched
