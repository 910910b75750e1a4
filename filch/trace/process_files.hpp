#pragma once
// What the kernel says of a process in /proc. Everything here is empty or zero if it says nothing.
#include <filch/base/language.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::trace {

/// The path of this program.
std::string own_program();
/// The lines of a process's /proc/PID/maps that are executable and have a file behind them.
std::string executable_lines(std::int64_t process_id);
/// The arguments of a process, each ended by a zero.
std::string arguments_text(std::int64_t process_id);
/// Those in such a text; zeroes at its end are left out.
std::vector<std::string> arguments_in(std::string_view text);
/// What this process has used since it began.
struct process_use {
  std::uint64_t user_ns = 0, kernel_ns = 0;
  std::uint64_t page_faults = 0;
};
process_use own_use() noexcept;
/// When the process began, in the kernel's clock ticks since boot; 0 if no such process runs.
std::uint64_t process_start(std::int64_t process_id);
/// The user of the process; nothing if there is no such process.
std::optional<std::uint32_t> user_of(std::int64_t process_id);
/// Times of a thread since it began, as the kernel counts them.
struct kernel_times {
  std::uint64_t on_cpu_ns = 0;
  std::uint64_t run_delay_ns = 0;  ///< Ready to run while the kernel ran something else.
};
/// Parses a file schedstat: time on a CPU, time waiting for one, time slices.
kernel_times parse_times(std::string_view schedstat) noexcept;
kernel_times times_of(std::int64_t process_id, std::int64_t thread_id) noexcept;
/// The id of the calling thread in Linux. Cost: a system call once a thread.
std::int64_t own_thread_id() noexcept;
/// Call in the child of a fork(): the thread has another id now.
void forget_own_thread_id() noexcept;

/// One file that was mapped to be executed.
struct mapped_file {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t offset = 0;  ///< In the file, of `begin`.
  std::string_view file;
};
/// The modules of such lines; other lines are left out.
std::vector<mapped_file> parse_mappings(std::string_view text);

}  // namespace filch::trace
