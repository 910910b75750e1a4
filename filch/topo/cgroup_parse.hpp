#pragma once
// The five formats in which Linux tells a process about its control groups, as pure functions. They
// take any bytes, and throw nothing but `bad_alloc`. Formats: proc(5), cgroups(7), and the kernel's
// admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst.
#include <filch/base/language.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::topo {

/// That much processor time in each period: a quota of 150 ms in 100 ms is one CPU and a half.
struct cpu_quota {
  std::optional<std::uint64_t> quota_us;  ///< Nothing: unlimited.
  std::uint64_t period_us = 0;            ///< Not zero unless unlimited.

  friend bool operator==(const cpu_quota&, const cpu_quota&) = default;
};

/// Reads v2's `cpu.max`: "max 100000\n" or "150000 100000\n". Returns `nullopt` if it is malformed,
/// or if quota or period is zero.
std::optional<cpu_quota> parse_cpu_max(std::string_view text);

/// Reads v1's pair `cpu.cfs_quota_us` and `cpu.cfs_period_us`. A negative quota means unlimited.
std::optional<cpu_quota> parse_cfs(std::string_view quota, std::string_view period);

/// Reads from `cpu.stat` how long the quota has held back the group's threads, all together, in
/// nanoseconds: v2's `throttled_usec`, v1's `throttled_time`. Returns `nullopt` if neither line
/// exists, or if it is malformed.
std::optional<std::uint64_t> parse_throttled_ns(std::string_view text);

enum class cgroup_version { v1, v2 };

/// A line of /proc/self/cgroup: the group of this process in one hierarchy.
struct cgroup_membership {
  cgroup_version version;
  std::vector<std::string>
      controllers;  ///< Of a v1 hierarchy, which may have several: "cpu,cpuacct".
  /// Begins with '/'; seen from the root of the cgroup namespace.
  std::string path;
};

/// A line of /proc/self/mountinfo that mounts a hierarchy, or a part of one.
struct cgroup_mount {
  cgroup_version version;
  std::vector<std::string> controllers;
  std::string root;  ///< The group that shows at `mount_point`; begins with '/'.
  std::string mount_point;
};

/// The entries that could be read, and the lines that could not.
template <class Entry>
struct parsed_lines {
  std::vector<Entry> entries;
  std::vector<std::string> malformed;
};

/// Reads /proc/self/cgroup.
parsed_lines<cgroup_membership> parse_proc_cgroup(std::string_view text);

/// Reads the mounts of cgroup file systems from /proc/self/mountinfo, decoding its octal escapes;
/// other mounts are left out.
parsed_lines<cgroup_mount> parse_mountinfo(std::string_view text);

}  // namespace filch::topo
