#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace filch::inline v0_2::base {

/// What /proc/PID/stat says of a process, or /proc/PID/task/TID/stat of a thread.
struct process_stat {
  char state = '?';
  std::uint64_t threads = 0;  ///< Of the process.
  /// When it began, in clock ticks since boot: distinguishes it from a later one with the same
  /// number.
  std::uint64_t start_ticks = 0;
};
/// Returns nothing if `text` is no such line.
std::optional<process_stat> parse_process_stat(std::string_view text);
/// Returns nothing if there is no such file: no such process, or no /proc. Cost: about 10 us.
std::optional<process_stat> read_process_stat(const std::string& path);
/// What threads wait for in a system call of that number on this processor, such as "a lock or a
/// wait (futex)". Empty if unknown.
std::string_view purpose_of_system_call(std::int64_t number) noexcept;

}  // namespace filch::base
