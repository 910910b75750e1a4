#pragma once
#include <filch/testing/machine/machine.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace filch::inline v0_2::testing {

/// Where in the source a thread waited for a cache line.
struct hot_place {
  std::string what;  ///< "load", "fetch_add", "writes", ...
  std::string function;
  std::string file;
  unsigned line = 0;
  std::uint64_t waited_ns = 0;
  std::uint64_t count = 0;  ///< How often.
};

/// A cache line for which cores waited.
struct hot_line {
  double share = 0;  ///< Of the time of all cores.
  std::uint64_t waited_ns = 0;
  std::vector<hot_place> places;  ///< The longest wait first.
};

/// What a body did with so many workers on a machine. Times are virtual.
struct scale_point {
  unsigned workers = 0;
  std::uint64_t ns = 0;         ///< From the begin of the body to its end.
  std::uint64_t cpu_ns = 0;     ///< Time that cores spent with a thread, summed.
  std::uint64_t spent_ns = 0;   ///< Of this, what the body declared by `testing::spend`.
  std::uint64_t waited_ns = 0;  ///< Of this, waiting for cache lines.
  std::uint64_t paused_ns = 0;  ///< Of this, in spin loops.
  std::uint64_t accesses = 0;
  std::uint64_t steals_tried = 0;
  std::uint64_t steals_won = 0;
  std::uint64_t parks = 0;
  std::uint64_t wakes = 0;
  std::vector<hot_line> hottest;  ///< At most ten.
};

/// Options of `scale`.
struct scale_options {
  /// How often the body runs before the run that counts. The pool starts its threads then, and
  /// memory comes into the caches.
  unsigned warm_ups = 1;
  std::uint64_t seed = 0;  ///< Of the random choices of `default_pool()`, and `testing::seed()`.
};

/// Runs `body` on a simulated machine with caches, once for each number of workers, on the library
/// as it ships. `default_pool()` has so many workers in the run.
///
/// The virtual clock advances by the accesses of the library to shared memory, by its system calls,
/// and by what `body` declares with `testing::spend` and `testing::touch`. Work that is not
/// declared takes no time. A run depends on its arguments alone, except where the addresses of
/// objects decide which of them share a cache line.
/// Cost:    about 0.2 us of real time for an access.
/// Threads: any that is not simulated. `body` runs on others, one at a time.
/// Throws:  `std::invalid_argument` if the machine has no core or more than 256;
///          `std::runtime_error` with the cause if a run ends in a deadlock, by an exception, or
///          with threads left.
/// Example: examples/scale.cpp
std::vector<scale_point> scale(const std::function<void()>& body, const machine& on,
                               std::span<const unsigned> workers, const scale_options& with = {});

}  // namespace filch::testing
