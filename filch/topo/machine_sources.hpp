#pragma once
// The sources behind `read_machine`: each returns a machine or nothing.
#include <filch/topo/machine.hpp>

#include <optional>
#include <string>

namespace filch::inline v0_2::topo {

std::optional<machine> read_hwloc();
std::optional<machine> read_sysfs(const std::string& root);
/// CPUs online as the C library counts them, at least one. Always answers.
machine read_count();

}  // namespace filch::topo
