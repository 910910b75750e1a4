#pragma once
// What each thread of this process has used so far, as the kernel counts it. Linux only.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace bench::idle {

struct usage {
  double cpu_seconds = 0;
  std::uint64_t switches = 0;

  friend usage operator-(const usage& a, const usage& b) {
    return {a.cpu_seconds - b.cpu_seconds, a.switches - b.switches};
  }
};

using usage_by_thread = std::map<long, usage>;

/// The kernel's number for the processor clock of a thread of this process: the complement of its
/// id above three bits that say "of one thread, as the scheduler counts". What
/// pthread_getcpuclockid computes, but from an id.
inline double thread_cpu_seconds(long thread_id) {
  timespec used{};
  const auto clock = static_cast<clockid_t>((~thread_id << 3) | 6);
  if (clock_gettime(clock, &used) != 0) return 0;  // the thread has just ended
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// Voluntary and forced context switches of a thread.
inline std::uint64_t thread_switches(const std::filesystem::path& folder) {
  std::ifstream status(folder / "status");
  std::uint64_t sum = 0;
  for (std::string word; status >> word;) {
    std::uint64_t count = 0;
    if ((word == "voluntary_ctxt_switches:" || word == "nonvoluntary_ctxt_switches:") &&
        status >> count)
      sum += count;
  }
  return sum;
}

/// Reads every thread but the caller, which pays for the measuring.
inline usage_by_thread other_threads() {
  usage_by_thread all;
  const long self = syscall(SYS_gettid);
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const long id = std::stol(entry.path().filename().string());
    if (id != self) all[id] = {thread_cpu_seconds(id), thread_switches(entry.path())};
  }
  return all;
}

/// What was used between two readings; a thread that began in between counts from its beginning.
inline usage_by_thread difference(const usage_by_thread& before, const usage_by_thread& after) {
  usage_by_thread all;
  for (const auto& [id, used] : after) all[id] = before.contains(id) ? used - before.at(id) : used;
  return all;
}

inline usage total(const usage_by_thread& threads) {
  usage sum;
  for (const auto& [id, used] : threads)
    sum = {sum.cpu_seconds + used.cpu_seconds, sum.switches + used.switches};
  return sum;
}

}  // namespace bench::idle
