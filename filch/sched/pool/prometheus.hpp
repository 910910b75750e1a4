#pragma once
#include <filch/sched/pool/metrics.hpp>

#include <iosfwd>
#include <span>

namespace filch::inline v0_2 {

class thread_pool;

/// Writes metrics in the text format of Prometheus, version 0.0.4: one sample for each worker, with
/// the labels `pool` and `worker`. Counters are named `filch_..._total`, durations are in seconds.
/// Serve it as `text/plain; version=0.0.4`; the library opens no port.
///
/// Cost:    about 200 lines a worker; a load for each counter, which delays no worker.
/// Threads: any, while the pools live; the last form ensures that itself.
/// Throws:  `std::bad_alloc`, and what `to` throws; other failures are in its state.
FILCH_EXPORT void write_prometheus(std::ostream& to, std::span<const metrics_snapshot> pools);
FILCH_EXPORT void write_prometheus(std::ostream& to, const thread_pool& pool);
/// All pools of this process.
FILCH_EXPORT void write_prometheus(std::ostream& to);

}  // namespace filch
