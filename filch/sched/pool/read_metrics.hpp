#pragma once
#include <filch/event/counters.hpp>
#include <filch/sched/pool/metrics.hpp>

#include <array>

namespace filch::inline v0_2::sched {

/// Turns one worker's counters, as they stood at `now_ticks`, into metrics for users.
worker_metrics read_metrics(const event::counted& counters, std::uint64_t now_ticks,
                            double seconds_per_tick) noexcept;

/// Raises each worker's seconds to those in `before`, so that none goes back: a worker that changes
/// its activity reads its clock a moment before it publishes the change. Adds all up anew.
void keep_growing(metrics_snapshot& now, const metrics_snapshot& before) noexcept;

/// The users' names for the time spent on an activity: its sum and its histogram.
struct time_field {
  event::activity what;
  const char* name;
  double worker_metrics::*seconds;
  time_histogram worker_metrics::*intervals;
};
inline constexpr std::array<time_field, 5> time_fields{{
    {event::activity::working, "working", &worker_metrics::seconds_working,
     &worker_metrics::intervals_working},
    {event::activity::searching, "searching", &worker_metrics::seconds_searching,
     &worker_metrics::intervals_searching},
    {event::activity::waiting, "waiting", &worker_metrics::seconds_waiting,
     &worker_metrics::intervals_waiting},
    {event::activity::blocked, "blocked", &worker_metrics::seconds_blocked,
     &worker_metrics::intervals_blocked},
    {event::activity::parked, "parked", &worker_metrics::seconds_parked,
     &worker_metrics::intervals_parked},
}};

/// Where users find the count of each kind, in the order of `event::schema`.
extern const std::array<std::uint64_t worker_metrics::*, event::kind_count> count_fields;

}  // namespace filch::sched
