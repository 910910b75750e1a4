#pragma once
// A stress test is worth what it has been seen to catch. So each makes a mistake first, in the
// shape that it is about to run in, and its run is void unless it notices that within a second.
// Which mistakes: filch/queue/broken_sync_stress.hpp, and what the others plant themselves.
#include <filch/base/clock.hpp>
#include <filch/base/sanitized_test.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace filch::base {

/// How many processors this process may use at once.
inline unsigned usable_core_count() noexcept {
#if defined(__linux__)
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    return static_cast<unsigned>(CPU_COUNT(&cores));
#endif
  return std::thread::hardware_concurrency();
}

/// Whether a race has a chance at all: one core seldom switches just there, and a sanitizer stops
/// at the race that the mistake is.
inline bool can_calibrate() noexcept { return usable_core_count() > 1 && !is_sanitized; }

/// One line for whoever collects what was shown: in this shape the test noticed this mistake, so
/// soon.
inline void print_calibration_evidence(const std::string& shape, const char* mistake,
                                       std::uint64_t after_ns) {
  std::printf(
      "evidence: {\"kind\": \"calibration\", \"name\": \"%s notices %s\", \"after_ms\": %.3f}\n",
      shape.c_str(), mistake, static_cast<double>(after_ns) * 1e-6);
}

/// Whether `attempt`, which makes a mistake and says whether the test saw it, says so within a
/// second, or a thousand attempts where others have the processors meanwhile.
template <class Attempt>
[[nodiscard]] bool notices(const std::string& shape, const char* mistake, Attempt&& attempt) {
  constexpr std::uint64_t second_ns = 1'000'000'000;
  const std::uint64_t begun_ns = now_ns();
  for (int attempts = 0; attempts < 1000 || now_ns() - begun_ns < second_ns; ++attempts) {
    if (!attempt()) continue;
    print_calibration_evidence(shape, mistake, now_ns() - begun_ns);
    return true;
  }
  return false;
}

}  // namespace filch::base
