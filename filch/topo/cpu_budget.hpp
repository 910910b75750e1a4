#pragma once
#include <filch/topo/affinity.hpp>
#include <filch/topo/cgroup_locate.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::topo {

/// More workers than this are a mistake: tables per thread, the kernel's and our own, would exhaust
/// the machine.
inline constexpr unsigned max_workers = 4096;

enum class limit_kind { online, affinity, cpuset, quota };
std::string_view name_of(limit_kind kind) noexcept;

/// One limit on how many threads can run at once.
struct cpu_limit {
  limit_kind kind;
  double cpus;         ///< What it grants: 1.5 for a quota of 150 ms in every 100.
  unsigned workers;    ///< The same rounded down, but at least 1.
  std::string source;  ///< The file or the call that says so.
  std::string text;    ///< What that says: "150000 100000", "0-3,8".

  friend bool operator==(const cpu_limit&, const cpu_limit&) = default;
};

/// How many workers can run at once, and why.
struct budget {
  unsigned workers = 1;           ///< The smallest of the limits.
  std::vector<cpu_limit> limits;  ///< All that were found, never empty; "unlimited" is no limit.
  std::size_t winner = 0;         ///< The limit that decides, the first of equals.
  std::vector<budget_problem> problems;  ///< What could not be read, and so limits nothing.

  const cpu_limit& why() const noexcept { return limits[winner]; }
  friend bool operator==(const budget&, const budget&) = default;
};

/// Replaces parts of the real machine.
struct budget_paths {
  /// Put before /proc, /sys and every mount point, by tests.
  std::string root{};
  /// Replaces the mask of the calling thread, permanently.
  std::optional<std::vector<unsigned>> affinity{};
};

/// A budget that can be refreshed while the program runs.
///
/// It counts CPUs online, the affinity mask, and the cpusets and quotas (v1 and v2) of the
/// process's own control groups and all their ancestors. It ignores weights and shares: they limit
/// nothing while the machine has room.
///
/// Threads: one at a time.
class budget_watch {
 public:
  /// Reads the budget of the calling thread, whose affinity mask its future threads inherit.
  /// Remembers that thread.
  FILCH_EXPORT explicit budget_watch(budget_paths paths = {});

  const budget& current() const noexcept { return current_; }

  /// Reads everything again. Returns true if the number or the reasons have changed. Any thread may
  /// call it, even a pinned one: the mask is that of the constructing thread, and keeps its last
  /// value once that has ended.
  ///
  /// Cost: 4 to 9 us a file, and two or three files a group: 50 us for seven files here, so 0.005 %
  /// of a core once a second. The table of mounts is read again only if the process was moved to
  /// another group. No thread, no timer, no file open between calls.
  /// Throws: std::bad_alloc only; the budget then stays what it was.
  FILCH_EXPORT bool refresh();

 private:
  void find_groups();
  void ask_affinity() noexcept;
  budget read() const;

  budget_paths paths_;
  thread_id thread_;
  std::optional<std::vector<unsigned>> affinity_;  ///< Nothing if the kernel does not tell.
  std::string proc_cgroup_;                        ///< The text from which `cgroups_` was found.
  cgroup_search cgroups_;
  budget current_;
};

/// Reads the budget of the calling thread once. Cost: 0.1 ms, and more if the table of mounts is
/// long.
budget read_budget(const budget_paths& paths = {});

/// On how many processors the threads of this process can run at once: the smallest of its limits
/// that is no quota. Cost: as `read_budget`.
unsigned processors(const budget_paths& paths = {});

/// Returns the number of workers that the environment variable FILCH_WORKERS requests. Returns
/// nothing if it is unset, empty or "0": then the budget decides.
/// Throws: std::invalid_argument that names the variable and its value, if it is no number or above
/// `max_workers`.
std::optional<unsigned> workers_from_environment();

}  // namespace filch::topo
