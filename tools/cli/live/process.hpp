#pragma once
// A process that records, looked at from outside while it runs: through its segment in shared
// memory, without its doing.
#include <filch/sched/pool/metrics.hpp>
#include <filch/trace/counted.hpp>

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace filch::cli {

/// The segment of a process as it is now; nothing when there is none, which is so when it has
/// ended, or never recorded.
/// Throws: `std::runtime_error` or `std::system_error` naming what is there and cannot be read.
std::optional<trace::segment_view> find_process(std::int64_t process_id);
/// Why there is none, and what to do about it.
std::string not_recording_text(std::int64_t process_id);

/// What there is to say of a process that records, and has no pool yet.
inline constexpr const char* no_worker_text = "No worker has done anything yet.";

/// The program's name, as far as terminals can stand it.
std::string program_of(const trace::segment_view& segment);

/// What the workers have counted, by pool, as `thread_pool::metrics` would tell it there.
std::vector<metrics_snapshot> metrics_of(const trace::counted_process& from);

/// The argument PID, which must be there.
void add_process_argument(CLI::App& command, std::int64_t& process_id);

}  // namespace filch::cli
