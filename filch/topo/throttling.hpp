#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <string>

namespace filch::inline v0_2::topo {

/// Returns how long quotas have held back the threads of a process's control groups, all together,
/// since the groups were made. It adds the kernel's counts of the process's group and of its
/// ancestors. The difference between two calls is what happened in between. Returns 0 if there is
/// no quota, or if it cannot be read.
///
/// Cost: 4 to 9 us a file, for two files of /proc and one of each group.
/// Throws: std::bad_alloc only.
std::uint64_t throttled_ns(std::int64_t process_id, const std::string& root = {});

}  // namespace filch::topo
