#pragma once
#include <bench/harness/contender.hpp>
#include <filch/fork.hpp>
#include <filch/metrics.hpp>

#include <algorithm>

namespace bench {

/// Adds to each sample from here on what the workers of `pool` did since the sample before:
/// `steals`, and `idle_share`, the share of the workers' time in which they had no job. For
/// programs that use the pool between samples for nothing else, and whose samples are seconds of a
/// whole.
/// Lifetime: `pool` outlives the last sample.
inline void report_counters(contender& me, const filch::thread_pool& pool) {
  me.add_to_samples([&pool, before = pool.metrics().total,
                     workers = me.workers()](double seconds) mutable {
    const filch::worker_metrics now = pool.metrics().total;
    const double steals = static_cast<double>(now.steals_won - before.steals_won);
    const double busy_share = (now.seconds_working - before.seconds_working) / (seconds * workers);
    before = now;
    return contender::values{{"steals", steals},
                             {"idle_share", std::clamp(1 - busy_share, 0.0, 1.0)}};
  });
}

}  // namespace bench
