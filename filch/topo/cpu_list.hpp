#pragma once
#include <filch/base/language.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::topo {

/// CPU numbers at or above this are rejected, so that a corrupt file cannot request gigabytes.
/// Linux ends at 8192.
inline constexpr unsigned max_cpu_number = 1u << 16;

/// Reads the kernel's notation for a set of CPUs or nodes, "0-3,8,10-11\n", as sorted numbers. An
/// empty list is an empty set. Returns `nullopt` for anything malformed, including unsorted lists.
std::optional<std::vector<unsigned>> parse_cpu_list(std::string_view text);

/// Writes sorted numbers as the kernel does: the inverse of `parse_cpu_list`, without the newline.
std::string format_cpu_list(std::span<const unsigned> cpus);

}  // namespace filch::topo
