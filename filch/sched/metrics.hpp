#pragma once
#include <cstdint>
#include <vector>

namespace filch {

/// What one worker, or all together, did since the pool began. Counters only grow; a reading may lag by a moment.
struct worker_metrics {
  std::uint64_t forks_exposed = 0;      ///< Forked jobs that became public; all others cost their owner no ordering.
  std::uint64_t forced_exposures = 0;   ///< Times a thief exposed because the owner was inside a long leaf.
  std::uint64_t steals_tried = 0;       ///< Victims probed.
  std::uint64_t steals_won = 0;         ///< Jobs taken from another worker.
  std::uint64_t steals_lost = 0;        ///< Requests whose answer was gone before it could be taken.
  std::uint64_t jobs_run = 0;           ///< Jobs run other than at their own join.
  std::uint64_t joins_stalled = 0;      ///< Joins that found their job stolen and unfinished.
  std::uint64_t stolen_back = 0;        ///< Jobs a stalled join took from the thief of its own job.
  std::uint64_t slots_handed_over = 0;  ///< Times a waiting or blocking worker gave its slot away.
  std::uint64_t parks = 0;              ///< Times asleep in the kernel for want of work.
  std::uint64_t wakes_sent = 0;         ///< Sleeping workers woken.
  std::uint64_t futile_wakes = 0;       ///< Wakes that found nothing to do.
  std::uint64_t threads_started = 0;    ///< Operating-system threads started.
  std::uint64_t state_changes = 0;      ///< Changes from one activity to another.
  std::uint64_t run_delay_us = 0;       ///< Microseconds ready to run while the kernel ran something else, where it says so.
  std::uint64_t slept_in_jobs_us = 0;   ///< Microseconds asleep in the kernel in the middle of jobs: locks, reads, faults.
  double seconds_working = 0;           ///< With a job, joins included.
  double seconds_searching = 0;         ///< Probing victims.
  double seconds_waiting = 0;           ///< In joins whose job a thief has, with nothing of it to help with.
  double seconds_blocked = 0;           ///< Without a slot in the middle of a job: in `blocking`, in a long wait, in another pool.
  double seconds_parked = 0;            ///< Asleep for want of work.

  worker_metrics& operator+=(const worker_metrics& other) noexcept;
};

struct metrics_snapshot {
  worker_metrics total;
  std::vector<worker_metrics> workers;  ///< Indexed as `worker_index()`.
};

}  // namespace filch
