#include <filch/topo/cgroup_locate.hpp>

#include <algorithm>
#include <optional>

namespace filch::inline v0_2::topo {
namespace {

struct hierarchy {
  cgroup_files files;
  cgroup_version version;
  std::string_view controller;  ///< Empty for v2, which has one hierarchy for all.
  const char* name;
};

constexpr hierarchy hierarchies[] = {
    {cgroup_files::v2, cgroup_version::v2, "", "cgroup v2"},
    {cgroup_files::v1_cpu, cgroup_version::v1, "cpu", "cgroup v1 controller cpu"},
    {cgroup_files::v1_cpuset, cgroup_version::v1, "cpuset", "cgroup v1 controller cpuset"},
};

/// Whether a membership or a mount belongs to the hierarchy.
template <class Entry>
bool belongs(const Entry& entry, const hierarchy& wanted) {
  const bool has_controller =
      wanted.controller.empty() || std::ranges::count(entry.controllers, wanted.controller) > 0;
  return entry.version == wanted.version && has_controller;
}

/// Returns the rest of `path` below `root`, "" or "/rest", or nothing if it does not lie below.
std::optional<std::string_view> path_below(std::string_view path, std::string_view root) {
  if (root == "/") {
    root = "";
  }
  if (!path.starts_with(root)) {
    return std::nullopt;
  }
  path.remove_prefix(root.size());
  if (path == "/") {
    path = "";
  }
  const bool leaves_root = path == "/.." || path.starts_with("/../");
  const bool ends_component = path.empty() || path.front() == '/';
  return ends_component && !leaves_root ? std::optional{path} : std::nullopt;
}

/// The mount that shows the group and most of its ancestors; of equals the last, which covers the
/// others.
const cgroup_mount* best_mount(const std::vector<cgroup_mount>& mounts, const hierarchy& wanted,
                               std::string_view path) {
  const cgroup_mount* best = nullptr;
  const auto rank = [&](const cgroup_mount& mount) {
    return path_below(path, mount.root) ? mount.root.size() : std::string::npos;
  };
  for (const cgroup_mount& mount : mounts) {
    if (belongs(mount, wanted) && (best == nullptr || rank(mount) <= rank(*best))) {
      best = &mount;
    }
  }
  return best;
}

void add_chain(cgroup_search& result, const cgroup_mount& mount, std::string_view below,
               cgroup_files files) {
  const std::string top = mount.mount_point == "/" ? "" : mount.mount_point;
  for (; !below.empty(); below = below.substr(0, below.rfind('/'))) {
    result.directories.push_back({top + std::string{below}, files});
  }
  result.directories.push_back({mount.mount_point, files});
}

void add_hierarchy(cgroup_search& result, const hierarchy& wanted, const std::string& path,
                   const std::vector<cgroup_mount>& mounts) {
  const cgroup_mount* mount = best_mount(mounts, wanted, path);
  if (mount == nullptr) {
    result.problems.push_back({wanted.name, "is not mounted"});
  } else if (const auto below = path_below(path, mount->root)) {
    add_chain(result, *mount, *below, wanted.files);
  } else if (path.starts_with("/..") && mount->root == "/") {
    result.problems.push_back(
        {mount->mount_point, "does not show the group of this process, " + path});
  } else {
    add_chain(result, *mount, "", wanted.files);
    result.problems.push_back({mount->mount_point, "shows " + mount->root +
                                                       ", not the group of this process, " + path +
                                                       "; only the limits here are known"});
  }
}

void add_malformed(cgroup_search& result, const char* source,
                   const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    result.problems.push_back({source, "malformed line: " + line});
  }
}

}  // namespace

cgroup_search locate_cgroups(std::string_view proc_cgroup, std::string_view mountinfo) {
  const auto memberships = parse_proc_cgroup(proc_cgroup);
  const auto mounts = parse_mountinfo(mountinfo);
  cgroup_search result;
  add_malformed(result, "/proc/self/cgroup", memberships.malformed);
  add_malformed(result, "/proc/self/mountinfo", mounts.malformed);
  for (const hierarchy& wanted : hierarchies) {
    const auto own = std::ranges::find_if(
        memberships.entries, [&](const auto& entry) { return belongs(entry, wanted); });
    if (own != memberships.entries.end()) {
      add_hierarchy(result, wanted, own->path, mounts.entries);
    }
  }
  return result;
}

}  // namespace filch::topo
