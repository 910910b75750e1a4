#pragma once
#include <filch/sched/pool/metrics.hpp>

#include <nlohmann/json.hpp>

namespace filch::inline v0_2 {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(time_histogram, counts, sum_seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    worker_metrics, forks_exposed, forks_forced, forced_exposures, forks_inlined, requests_sent,
    requests_answered, steals_tried, steals_won, steals_lost, forks_stolen, ready_stolen,
    stolen_back, jobs_run, jobs_queued, jobs_injected, jobs_discarded, exceptions_escaped,
    joins_stalled, slots_handed_over, blocking_entered, visits, parks, naps, self_wakes, wakes_sent,
    futile_wakes, threads_started, state_changes, run_delay_us, slept_in_jobs_us, seconds_working,
    seconds_searching, seconds_waiting, seconds_blocked, seconds_parked, intervals_working,
    intervals_searching, intervals_waiting, intervals_blocked, intervals_parked, wake_latency)

/// `counts[k]` of each timing are those of less than 2^k microseconds that are in no class before.
inline void to_json(nlohmann::json& to, const metrics_snapshot& from) {
  to = {{"pool", from.pool},
        {"slots", from.slot_count},
        {"ready_jobs", from.ready_jobs},
        {"total", from.total},
        {"workers", from.workers}};
}

}  // namespace filch
