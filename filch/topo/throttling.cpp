#include <filch/topo/throttling.hpp>

#include <filch/base/text_file.hpp>
#include <filch/topo/cgroup_locate.hpp>

namespace filch::inline v0_2::topo {

// The process's mount points are relative to its own root, which differs from ours in a container.
std::uint64_t throttled_ns(std::int64_t process_id, const std::string& root) {
  const std::string process = root + "/proc/" + std::to_string(process_id);
  const cgroup_search groups = locate_cgroups(base::read_text(process + "/cgroup").text,
                                              base::read_text(process + "/mountinfo").text);
  std::uint64_t sum = 0;
  for (const cgroup_directory& each : groups.directories) {
    if (each.files == cgroup_files::v1_cpuset) continue;
    sum += parse_throttled_ns(base::read_text(process + "/root" + each.path + "/cpu.stat").text)
               .value_or(0);
  }
  return sum;
}

}  // namespace filch::topo
