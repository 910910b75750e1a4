#pragma once
#include <filch/base/language.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace filch::inline v0_2 {

/// Threads of a pool that wait at one place.
struct waiting_threads {
  std::string where;  ///< The function that waits, and "file+0xoffset" for `addr2line -e file`.
  std::uint64_t count = 0;
};

/// A pool is starved: for a second all of its threads have waited, a job is queued, and no thread
/// is left to begin it, since `pool_options::max_spares` are in use or the system refuses one. If
/// they wait for that job, the program hangs. Only waits of filch and calls inside
/// `filch::blocking` count; other waits keep their slot.
/// Example: examples/pool_reports.cpp
struct starvation_report {
  std::uint32_t pool = 0;                ///< Its number in the process, from 1 on.
  std::uint64_t thread_count = 0;        ///< Of its threads, all of which wait.
  std::vector<waiting_threads> waiting;  ///< Most first.
};

/// Several lines, for a log. Throws: `std::bad_alloc`.
FILCH_EXPORT std::string to_string(const starvation_report& of);

}  // namespace filch
