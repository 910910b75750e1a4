#pragma once
// Suspended: a million tasks that all wait for one event, and the memory that they take meanwhile.
#include <cstdint>
#include <fstream>
#include <string>

namespace bench::suspended {

inline constexpr std::uint64_t default_tasks = 1'000'000;

/// Resident memory of this process.
inline double resident_bytes() {
  std::ifstream status{"/proc/self/status"};
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) * 1024;
  }
  return 0;
}

}  // namespace bench::suspended
