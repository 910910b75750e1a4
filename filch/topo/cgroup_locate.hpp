#pragma once
#include <filch/topo/cgroup_parse.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filch::topo {

/// Something that was not understood or not reachable, and so limits nothing.
struct budget_problem {
  std::string source;  ///< The file, or the part of it.
  std::string reason;

  friend bool operator==(const budget_problem&, const budget_problem&) = default;
};

/// Which files a directory of a cgroup hierarchy can hold that limit processors.
enum class cgroup_files {
  v1_cpu,     ///< `cpu.cfs_quota_us`, `cpu.cfs_period_us`
  v1_cpuset,  ///< `cpuset.cpus`
  v2,         ///< `cpu.max`, `cpuset.cpus.effective`
};

struct cgroup_directory {
  std::string path;
  cgroup_files files;
};

/// The directories whose limits bind this process, own group first, then its ancestors up to the
/// mount point; and what hid others.
struct cgroup_search {
  std::vector<cgroup_directory> directories;
  std::vector<budget_problem> problems;
};

/// Finds them from the texts of /proc/self/cgroup and /proc/self/mountinfo. Touches no file.
///
/// Every v1 hierarchy with a CPU controller and the v2 hierarchy are followed, so hybrid systems
/// need no case of their own. Of several mounts of a hierarchy the one that shows most ancestors is
/// taken. Where the group is not below the root of any mount, as with a mount made outside the
/// cgroup namespace, the mount point alone is taken and a problem says so: the mount shows an
/// ancestor then, or a container's own group under its name on the host.
cgroup_search locate_cgroups(std::string_view proc_cgroup, std::string_view mountinfo);

}  // namespace filch::topo
