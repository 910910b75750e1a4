#include <filch/topo/machine.hpp>

#include <filch/topo/machine_sources.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <system_error>
#include <utility>

namespace filch::inline v0_2::topo {
namespace {

/// Renumbers one property of the CPUs to 0, 1, 2... by first appearance.
void make_dense(std::vector<cpu>& cpus, unsigned cpu::*number) {
  std::map<unsigned, unsigned> dense;
  for (cpu& each : cpus) {
    each.*number =
        dense.try_emplace(each.*number, static_cast<unsigned>(dense.size())).first->second;
  }
}

/// The number of different values, if they are dense.
unsigned count_of(std::span<const cpu> cpus, unsigned cpu::*number) noexcept {
  unsigned count = 0;
  for (const cpu& each : cpus) {
    count = std::max(count, each.*number + 1);
  }
  return count;
}

machine answer_of(std::optional<machine> answer, const std::string& resource) {
  if (!answer) {
    throw std::system_error{std::make_error_code(std::errc::no_such_device),
                            "topology of the machine from " + resource};
  }
  return std::move(*answer);
}

machine first_answer(const std::string& sysfs_root) {
  if (auto answer = read_hwloc()) {
    return std::move(*answer);
  }
  if (auto answer = read_sysfs(sysfs_root)) {
    return std::move(*answer);
  }
  return read_count();
}

}  // namespace

machine::machine(std::vector<cpu> cpus, cache_sizes caches, std::string source)
    : cpus_{std::move(cpus)}, caches_{caches}, source_{std::move(source)} {
  std::ranges::sort(cpus_, {}, &cpu::os_index);
  for (const auto number : {&cpu::core, &cpu::cache, &cpu::numa_node, &cpu::package}) {
    make_dense(cpus_, number);
  }
}

const cpu* machine::find(unsigned os_index) const noexcept {
  const auto found = std::ranges::lower_bound(cpus_, os_index, {}, &cpu::os_index);
  return found != cpus_.end() && found->os_index == os_index ? &*found : nullptr;
}

unsigned machine::core_count() const noexcept { return count_of(cpus_, &cpu::core); }
unsigned machine::cache_count() const noexcept { return count_of(cpus_, &cpu::cache); }
unsigned machine::numa_node_count() const noexcept { return count_of(cpus_, &cpu::numa_node); }
unsigned machine::package_count() const noexcept { return count_of(cpus_, &cpu::package); }

machine machine::only(std::span<const unsigned> os_indices) const {
  std::vector<cpu> kept;
  for (const unsigned os_index : os_indices) {
    if (const cpu* found = find(os_index)) {
      kept.push_back(*found);
    }
  }
  return {std::move(kept), caches_, source_};
}

machine read_count() {
  const long online = std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN));
  std::vector<cpu> cpus;
  for (unsigned index = 0; index < static_cast<unsigned>(online); ++index) {
    cpus.push_back({.os_index = index, .core = index});
  }
  return {std::move(cpus), {}, "sysconf"};
}

machine read_machine(machine_source source, const std::string& sysfs_root) {
  switch (source) {
    case machine_source::hwloc:
      return answer_of(read_hwloc(),
                       has_hwloc() ? "hwloc" : "hwloc, which this build of filch lacks");
    case machine_source::sysfs: return answer_of(read_sysfs(sysfs_root), sysfs_root);
    case machine_source::count: return read_count();
    case machine_source::automatic: break;
  }
  return first_answer(sysfs_root);
}

}  // namespace filch::topo
