#pragma once
#include <filch/topo/cgroup_parse.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::topo {

/// Something that was not understood or not reachable, and so limits nothing.
struct budget_problem {
  std::string source;  ///< The file, or the part of it.
  std::string reason;

  friend bool operator==(const budget_problem&, const budget_problem&) = default;
};

/// The files in a directory of a cgroup hierarchy that limit processors.
enum class cgroup_files {
  v1_cpu,     ///< `cpu.cfs_quota_us`, `cpu.cfs_period_us`
  v1_cpuset,  ///< `cpuset.cpus`
  v2,         ///< `cpu.max`, `cpuset.cpus.effective`
};

struct cgroup_directory {
  std::string path;
  cgroup_files files;
};

/// The directories whose limits bind this process: its own group, then its ancestors up to the
/// mount point. Also the problems that hid others.
struct cgroup_search {
  std::vector<cgroup_directory> directories;
  std::vector<budget_problem> problems;
};

/// Finds them from the texts of /proc/self/cgroup and /proc/self/mountinfo. Touches no file.
///
/// Follows every v1 hierarchy with a CPU controller and the v2 hierarchy, so hybrid systems need no
/// special case. Of several mounts of a hierarchy it takes the one that shows most ancestors. If
/// the group is not below the root of any mount, as with a mount made outside the cgroup namespace,
/// it takes the mount point alone and reports a problem. The mount then shows an ancestor, or a
/// container's own group under its name on the host.
cgroup_search locate_cgroups(std::string_view proc_cgroup, std::string_view mountinfo);

}  // namespace filch::topo
