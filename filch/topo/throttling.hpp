#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <string>

namespace filch::topo {

/// For how long quotas have held back the threads of a process's control groups, all together and
/// since the groups were made: the kernel's own count, that of the process's group and those of its
/// ancestors added up. What the two ends of a time say differs by what fell into it. 0 where no
/// quota is, or nobody may ask.
///
/// Cost:   4 to 9 us a file, for two files of /proc and one of each group.
/// Throws: std::bad_alloc only.
std::uint64_t throttled_ns(std::int64_t process_id, const std::string& root = {});

}  // namespace filch::topo
