#pragma once
#include <filch/testing/strategy.hpp>

#include <cstdint>

namespace filch::testing {

struct options {
  unsigned seeds = 1000;
  std::uint64_t first_seed = 0;
  strategy who_goes_on = strategy::any;
  /// Of the bugs that `strategy::pct` looks for: how many events must come in a certain order.
  unsigned depth = 3;
  unsigned workers = 3;  ///< Of `default_pool()`, and of pools that leave it to the machine.
  std::uint64_t most_steps = 2'000'000;  ///< A run that takes more fails: it goes round in circles.
  /// Whether an exception that nobody will see fails the run.
  bool drops_are_failures = true;
  unsigned refused_threads = 0;  ///< If not zero, one of so many threads cannot be started.
  std::size_t most_lines = 400;  ///< Of a schedule as text.
};

}  // namespace filch::testing
