#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace filch::base {

/// What the kernel says of a process in /proc/PID/stat, or of a thread in /proc/PID/task/TID/stat.
struct process_stat {
  char state = '?';
  std::uint64_t threads = 0;  ///< Of the process.
  /// When it began, in clock ticks since boot: tells it from a later one of the same number.
  std::uint64_t start_ticks = 0;
};
/// Nothing where `text` is no such line.
std::optional<process_stat> parse_process_stat(std::string_view text);
/// Nothing where there is no such file, as where there is no such process or no /proc. Cost: some
/// 10 us.
std::optional<process_stat> read_process_stat(const std::string& path);
/// What threads wait for in a system call of that number on this processor, as "a lock or a wait
/// (futex)". Empty: not known.
std::string_view purpose_of_system_call(std::int64_t number) noexcept;

}  // namespace filch::base
