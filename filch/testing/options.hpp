#pragma once
#include <filch/testing/strategy.hpp>

#include <cstdint>

namespace filch::inline v0_2::testing {

/// The options of `explore` and `replay`.
/// Example: examples/test_schedules.cpp
struct options {
  unsigned seeds = 1000;         ///< The number of runs, each with a seed of its own.
  std::uint64_t first_seed = 0;  ///< Of the first run. Each further one has the next number.
  strategy who_goes_on = strategy::any;  ///< How a seed chooses the thread that goes on.
  /// For `strategy::pct`: how many events of a bug must come in a certain order.
  unsigned depth = 3;
  unsigned workers = 3;  ///< Of `default_pool()`, and of pools that leave it to the machine.
  std::uint64_t most_steps = 2'000'000;  ///< A run with more steps fails: it does not end.
  /// Whether an exception that no caller will see fails the run.
  bool drops_are_failures = true;
  unsigned refused_threads = 0;  ///< If not zero, one of so many threads cannot be started.
  std::size_t most_lines = 400;  ///< Of a schedule as text.
};

}  // namespace filch::testing
