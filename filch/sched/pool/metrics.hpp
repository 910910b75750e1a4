#pragma once
#include <filch/event/durations.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace filch::inline v0_2 {

/// A histogram of durations: `counts[k]` of them were below 2^k microseconds and in no class
/// before; the last class has no upper bound. Classes have the error of `base::ticks_per_us` until
/// a worker has first searched; sums never have.
struct FILCH_EXPORT time_histogram {
  std::array<std::uint64_t, event::duration_classes> counts{};
  double sum_seconds = 0;  ///< Of all durations.

  /// The number of durations.
  std::uint64_t count() const noexcept;
  time_histogram& operator+=(const time_histogram& other) noexcept;
};
/// As it was called in 0.1.
using timing [[deprecated("use time_histogram")]] = time_histogram;

/// What one worker, or all together, did since the pool began. Counters only grow; a reading may
/// lag by a moment, or run ahead by as long as a worker is interrupted in the middle of a change.
/// Forks that no thief requested are not counted: counting would cost more than the fork.
struct FILCH_EXPORT worker_metrics {
  /// Forked jobs that became public; all others cost their owner no ordering.
  std::uint64_t forks_exposed = 0;
  std::uint64_t forks_forced = 0;  ///< Of these, exposed by a thief.
  /// Times a thief exposed because the owner was inside a long leaf.
  std::uint64_t forced_exposures = 0;
  std::uint64_t forks_inlined = 0;      ///< Forks run as plain calls, as the fork stack was full.
  std::uint64_t requests_sent = 0;      ///< Times a searching worker asked another one to expose.
  std::uint64_t requests_answered = 0;  ///< Requests that an owner answered at a fork or join.
  std::uint64_t steals_tried = 0;       ///< Victims probed.
  std::uint64_t steals_won = 0;         ///< Probes that took a job; the sum of the three below.
  /// Requests whose answer was gone before it could be taken.
  std::uint64_t steals_lost = 0;
  std::uint64_t forks_stolen = 0;  ///< Forked jobs stolen by a worker without a job.
  std::uint64_t ready_stolen = 0;  ///< Jobs stolen from the ready queue of another slot.
  /// Jobs a stalled join took from the thief of its own job.
  std::uint64_t stolen_back = 0;
  std::uint64_t jobs_run = 0;     ///< Jobs run other than at their own join.
  std::uint64_t jobs_queued = 0;  ///< Jobs that a worker put into its own ready queue.
  /// Jobs taken from an injector: those of external threads and overcommit slots, and those of high
  /// or background priority.
  std::uint64_t jobs_injected = 0;
  std::uint64_t jobs_discarded = 0;      ///< Jobs freed unrun after `request_stop`.
  std::uint64_t exceptions_escaped = 0;  ///< Exceptions that left a submitted job.
  std::uint64_t joins_stalled = 0;       ///< Joins that found their job stolen and unfinished.
  std::uint64_t slots_handed_over = 0;   ///< Times a waiting or blocking worker gave its slot away.
  std::uint64_t blocking_entered = 0;    ///< Of these, by `blocking` or for another pool.
  std::uint64_t visits = 0;              ///< Times an external thread computed in the pool.
  std::uint64_t parks = 0;               ///< Times parked because there was no work.
  std::uint64_t naps = 0;                ///< Times parked with a timeout, to look for forks.
  std::uint64_t self_wakes = 0;          ///< Parks ended by the worker itself, as there was work.
  /// Parked workers woken by a worker; `wake_latency` has all wakes.
  std::uint64_t wakes_sent = 0;
  std::uint64_t futile_wakes = 0;     ///< Wakes that found nothing to do.
  std::uint64_t threads_started = 0;  ///< Operating-system threads started.
  std::uint64_t state_changes = 0;    ///< Changes from one activity to another.
  /// Microseconds ready to run, but not running; known during a recording.
  std::uint64_t run_delay_us = 0;
  /// Microseconds asleep inside jobs; known during a recording.
  std::uint64_t slept_in_jobs_us = 0;
  /// Begins and ends of jobs that a recording of jobs has written.
  std::uint64_t job_changes = 0;
  /// Times such a recording changed between all jobs and samples.
  std::uint64_t jobs_sampled = 0;
  /// Unstolen forks that samples counted; recordings estimate all forks from them.
  std::uint64_t forks_counted = 0;
  double seconds_working = 0;    ///< With a job, joins included.
  double seconds_searching = 0;  ///< Probing victims.
  /// In joins of a stolen job, without a descendant of it to run.
  double seconds_waiting = 0;
  /// Without a slot inside a job: in `blocking`, in a long wait, in another pool.
  double seconds_blocked = 0;
  double seconds_parked = 0;  ///< Parked because there was no work.
  /// Durations of the times that have ended; the same for the others.
  time_histogram intervals_working;
  time_histogram intervals_searching;
  time_histogram intervals_waiting;
  time_histogram intervals_blocked;
  time_histogram intervals_parked;
  /// From the choice of a parked worker for a wake until it runs.
  time_histogram wake_latency;
  event::activity doing = event::activity::away;  ///< Now. Without meaning in a sum.

  worker_metrics& operator+=(const worker_metrics& other) noexcept;
};

/// What `thread_pool::metrics` returns. Readers take turns; workers go on meanwhile.
/// Example: examples/pool_reports.cpp
struct metrics_snapshot {
  std::uint32_t pool = 0;        ///< Number of the pool in its process, from 1 on.
  unsigned slot_count = 0;       ///< How many may run at once.
  std::uint64_t ready_jobs = 0;  ///< Jobs in the ready queues, as of now.
  /// Times that all threads waited for a second while a job was queued (`starvation_report`).
  std::uint64_t starvations = 0;
  worker_metrics total;                 ///< Of all workers.
  std::vector<worker_metrics> workers;  ///< Indexed as `worker_index()`.
};

}  // namespace filch
