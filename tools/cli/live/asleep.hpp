#pragma once
// What the kernel says of the threads of a process: a job that sleeps there burns no time, though
// its worker works.
#include <filch/trace/process_files.hpp>
#include <tools/cli/live/load.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace filch::cli {

struct thread_look {
  trace::kernel_times times;
  /// What it sleeps in now: "a lock or a wait (futex)"; empty if it does not sleep.
  std::string waits_in;
};
/// By `row_owner::pack`.
using thread_looks = std::map<std::uint64_t, thread_look>;

/// The threads of the workers of a process, as they are now.
thread_looks look_at_threads(std::int64_t process_id, const trace::counted_process& now);

/// Moves to "blocked" what of the time of each worker's work its thread spent asleep, between two
/// looks. If that is most of the time of all slots, the verdict says so: no record does before
/// the jobs end.
void tell_sleep(process_load& of, const thread_looks& before, const thread_looks& now);

}  // namespace filch::cli
