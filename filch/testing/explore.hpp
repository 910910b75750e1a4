#pragma once
#include <filch/testing/options.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace filch::inline v0_2::testing {

/// The result of an exploration.
struct report {
  std::uint64_t seeds_run = 0;  ///< How many runs there were.
  std::uint64_t steps = 0;  ///< Of all runs together.
  std::uint64_t switches = 0;  ///< How often another thread went on.
  /// The runs that left behind threads that will never end.
  std::uint64_t threads_left = 0;
  std::optional<std::uint64_t> failing_seed;  ///< Nothing: no run failed.
  std::string failure;                        ///< What went wrong, and which task waits for which.
  std::string schedule;                       ///< Of the failing run; after `replay`, of the run.

  /// True if no run failed.
  bool passed() const noexcept { return !failing_seed; }
  /// All of the failure, for a test's message.
  std::string text() const;
};

/// Runs `body` once for each seed from `first_seed` on, each time under another schedule, until one
/// run fails.
///
/// A run fails by an exception that leaves `body` or that no caller will see, by `check`, a
/// deadlock, or too many steps. The report has the seed and the cause. `body` makes its pools
/// itself; `default_pool()` is a new one in every run.
/// Cost:    0.2 to 0.4 ms a seed for 130 jobs (`random_programs_slow_test` prints it).
/// Threads: any that is not simulated itself. `body` runs on another one; thread-local objects are
///          not made anew for each run.
/// Lifetime: a run that fails stops where it is: its threads sleep for ever, and what they own is
/// not freed.
/// Example: examples/find_a_race.cpp
report explore(const std::function<void()>& body, const options& wanted = {});

/// Runs `body` under the schedule of `seed` and reports the run. The schedule is the same every
/// time, byte for byte, if the options are equal and `body` does the same every time: neither clock
/// nor random numbers nor addresses may decide what it does.
report replay(std::uint64_t seed, const std::function<void()>& body, options wanted = {});

}  // namespace filch::testing
