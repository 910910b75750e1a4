#pragma once
#include <filch/event/counters.hpp>
#include <filch/sched/metrics.hpp>

namespace filch::sched {

/// Turns one worker's counters, as they stand at `now_ticks`, into what users read.
worker_metrics read_metrics(const event::counters& counters, std::uint64_t now_ticks, double seconds_per_tick) noexcept;

}  // namespace filch::sched
