#include <tests/planted_faults/control_group.hpp>

#include <filch/base/text_file.hpp>
#include <filch/topo/scan.hpp>

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ranges>
#include <system_error>
#include <vector>

namespace planted {
namespace {

using filch::topo::cgroup_directory;
using filch::topo::cgroup_files;

[[noreturn]] void refuse(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

int try_write(const std::string& file, const std::string& text) noexcept {
  const int to = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (to < 0) return errno;
  const int error = ::write(to, text.data(), text.size()) < 0 ? errno : 0;
  ::close(to);
  return error;
}

void write(const std::string& file, const std::string& text) {
  if (const int error = try_write(file, text); error != 0) refuse(error, file);
}

std::vector<cgroup_directory> groups_with_quotas() {
  std::vector<cgroup_directory> found =
      filch::topo::locate_cgroups(filch::base::read_text("/proc/self/cgroup").text,
                                  filch::base::read_text("/proc/self/mountinfo").text)
          .directories;
  std::erase_if(found,
                [](const cgroup_directory& each) { return each.files == cgroup_files::v1_cpuset; });
  return found;
}

/// Whether groups made in it can have quotas. Those of v2 must be told so, and processes lie in
/// their leaves.
bool grants_quotas(const cgroup_directory& group) {
  if (group.files == cgroup_files::v1_cpu) return true;
  const std::string controllers =
      filch::base::read_text(group.path + "/cgroup.subtree_control").text;
  return std::ranges::any_of(controllers | std::views::split(' '), [](const auto& each) {
    return filch::topo::trimmed(std::string_view{each.begin(), each.end()}) == "cpu";
  });
}

}  // namespace

// A quota holds back ordinary threads only, so this one becomes ordinary.
control_group::control_group() {
  const std::vector<cgroup_directory> above = groups_with_quotas();
  const auto parent = std::ranges::find_if(above, grants_quotas);
  if (parent == above.end()) refuse(ENOTSUP, "a control group with a quota");
  home_ = *std::ranges::find(above, parent->files, &cgroup_directory::files);
  path_ = parent->path + "/filch_planted_" + std::to_string(::getpid());
  const sched_param ordinary{};
  if (::sched_setscheduler(0, SCHED_OTHER, &ordinary) != 0) refuse(errno, "sched_setscheduler");
  if (::mkdir(path_.c_str(), 0755) != 0) refuse(errno, path_);
  if (const int error = try_write(path_ + "/cgroup.procs", "0"); error != 0) {
    ::rmdir(path_.c_str());
    refuse(error, path_);
  }
  rank_before_others();
}

control_group::~control_group() {
  try_write(home_.path + "/cgroup.procs", "0");
  ::rmdir(path_.c_str());
}

void control_group::grant(unsigned microseconds) {
  const std::string granted = std::to_string(microseconds), period = "20000";
  if (home_.files == cgroup_files::v2) return write(path_ + "/cpu.max", granted + " " + period);
  write(path_ + "/cpu.cfs_period_us", period);
  write(path_ + "/cpu.cfs_quota_us", granted);
}

void control_group::rank_before_others() noexcept {
  if (home_.files == cgroup_files::v2) {
    try_write(path_ + "/cpu.weight", "10000");
  } else {
    try_write(path_ + "/cpu.shares", "262144");
  }
}

}  // namespace planted
