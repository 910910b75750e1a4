#pragma once
// The recording of a run, decoded for readers: in order of time, on one clock. Made by trace, sim
// and tests; read by span.
#include <filch/event/analysis.hpp>
#include <filch/event/graph_run.hpp>
#include <filch/event/record.hpp>

#include <optional>
#include <string>
#include <vector>

namespace filch::inline v0_2::event {

/// One record of one worker, its time in nanoseconds since the recording began.
struct entry {
  std::int64_t at_ns = 0;
  std::uint32_t worker = 0;  ///< Index into `recording::workers`.
  record what;               ///< `what.ticks` as written.
};

/// A worker of some pool that wrote records.
struct recorded_worker {
  std::uint32_t pool = 0;
  std::uint32_t index = 0;            ///< `worker_index()` in that pool.
  std::int64_t thread_id = 0;         ///< As the kernel knows it; 0: not known.
  std::int64_t complete_from_ns = 0;  ///< Older records of it were overwritten or were never made.
  std::uint64_t lost = 0;             ///< How many were overwritten.
};

/// "pool 0 worker 1".
std::string text_of(const recorded_worker& worker);

struct recorded_pool {
  std::uint32_t slot_count = 0;  ///< P: how many may run at once.
};

struct recording {
  std::string program;
  /// With which it was called, its name as the first; empty: not known.
  std::vector<std::string> arguments;
  std::int64_t process_id = 0;
  std::int64_t length_ns = 0;  ///< From 0 to here.
  std::vector<recorded_pool> pools;
  std::vector<recorded_worker> workers;
  /// `record::amount` of a job is an index into them; 0 is the unknown one.
  std::vector<call_site> sites;
  std::vector<entry> entries;  ///< By `at_ns`; those of one worker in the order written.
  /// The cost of an unstolen fork on that machine in picoseconds; 0: not measured, as no jobs were
  /// recorded.
  std::uint64_t fork_ps = 0;
  /// Past workers of this process whose ring went to another one since this began: their records
  /// are lost. In a snapshot from outside: since the process first recorded.
  std::uint64_t reused_rings = 0;
  /// The total time in which quotas held back threads of its control groups meanwhile. In a
  /// snapshot from outside: since recording was last switched on.
  std::uint64_t throttled_ns = 0;
  /// On how many processors its threads could run at once when recording began, whatever quotas
  /// grant; 0: not known.
  std::uint64_t processors = 0;
  /// Processor time of the whole process meanwhile, in its code and in the kernel, and page faults.
  /// Not known in a snapshot from outside: 0.
  std::uint64_t user_ns = 0, kernel_ns = 0, page_faults = 0;
  /// Work and span of its roots, if they were watched: at span level.
  std::optional<analysis::result> analyzed;
  /// The longest run of each task graph, the longest of all first; at most `most_graphs`.
  std::vector<graph_run> graphs;
};

}  // namespace filch::event
