#pragma once
// A stress test is worth as much as it has been seen to catch. So each one first makes a mistake,
// in the shape in which it is about to run. Its run is void unless it notices that within a second.
// The mistakes are in filch/queue/broken_sync_stress.hpp, or planted by the tests themselves.
#include <filch/base/clock.hpp>
#include <filch/base/sanitized_test.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace filch::inline v0_2::base {

/// How many processors this process may use at once.
inline unsigned usable_core_count() noexcept {
#if defined(__linux__)
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    return static_cast<unsigned>(CPU_COUNT(&cores));
#endif
  return std::thread::hardware_concurrency();
}

/// Whether a race can be seen: one core seldom switches at the right place, and a sanitizer stops
/// at the race that the mistake is.
inline bool can_calibrate() noexcept { return usable_core_count() > 1 && !is_sanitized; }

/// Prints one line of evidence: in this shape the test noticed this mistake, after this time.
inline void print_calibration_evidence(const std::string& shape, const char* mistake,
                                       std::uint64_t after_ns) {
  std::printf(
      "evidence: {\"kind\": \"calibration\", \"name\": \"%s notices %s\", \"after_ms\": %.3f}\n",
      shape.c_str(), mistake, static_cast<double>(after_ns) * 1e-6);
}

/// Whether `attempt`, which makes a mistake and returns whether the test saw it, returns true
/// within a second, or within a thousand attempts if other programs have the processors meanwhile.
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
