#pragma once
// The five formats in which Linux tells a process about its control groups, as pure functions: any
// bytes in, no exceptions but `bad_alloc` out. Formats: proc(5), cgroups(7), and the kernel's
// admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst.
#include <filch/base/language.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filch::topo {

/// So much processor time in each period: a quota of 150 ms in 100 ms is one CPU and a half.
struct cpu_quota {
  std::optional<std::uint64_t> quota_us;  ///< Nothing: unlimited.
  std::uint64_t period_us = 0;            ///< Not zero unless unlimited.

  friend bool operator==(const cpu_quota&, const cpu_quota&) = default;
};

/// Reads v2's `cpu.max`: "max 100000\n" or "150000 100000\n". Malformed: `nullopt`, and so is a
/// quota or a period of zero.
std::optional<cpu_quota> parse_cpu_max(std::string_view text);

/// Reads v1's pair `cpu.cfs_quota_us`, where any negative number means unlimited, and
/// `cpu.cfs_period_us`.
std::optional<cpu_quota> parse_cfs(std::string_view quota, std::string_view period);

/// Reads from `cpu.stat` for how long the group's threads have been held back by its quota, all
/// together: v2's `throttled_usec`, v1's `throttled_time`, in nanoseconds. Neither line, or a
/// malformed one: `nullopt`.
std::optional<std::uint64_t> parse_throttled_ns(std::string_view text);

enum class cgroup_version { v1, v2 };

/// A line of /proc/self/cgroup: the group that this process is in, in one hierarchy.
struct cgroup_membership {
  cgroup_version version;
  std::vector<std::string>
      controllers;  ///< Of a v1 hierarchy, which may join several: "cpu,cpuacct".
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
