#pragma once
#include <filch/base/thread.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace filch::inline v0_2::testing {

/// The options of `noise`.
struct noise_options {
  std::uint64_t seed = 0;  ///< Decides at which points a thread stops, and for how long.
  /// The average number of points that a thread passes from one stop to the next; at least 1, which
  /// stops at each.
  unsigned one_in = 64;
  /// The longest stop. Half of the stops are shorter: they only yield the processor.
  std::chrono::nanoseconds longest{50'000};
  /// Only at points in functions of this name, as `functions_passed` gives it; empty: at all
  /// points.
  std::string function = {};
};

/// While it lives, real threads stop for a moment at the points at which the deterministic
/// scheduler would choose the next thread: every access of filch's, `testing::point`, reads and
/// writes of `testing::shared`. A rare interleaving of real threads then comes sooner. It also
/// works under the thread sanitizer, from which the deterministic scheduler hides races. For
/// programs that link `filch::testing`.
///
/// A seed decides where each thread stops, not what the others do meanwhile: a failure need not
/// come again.
/// Threads: affects all; one lives at a time.
/// Cost:    some 5 ns a point while it lives; 30 ns if a function is named.
/// Source:  Edelstein, Farchi, Nir, Ratsaby and Ur, Multithreaded Java program test generation, IBM
///          Systems Journal 41 (2002): noise at shared accesses. We differ: it can be limited to
///          one function, so that a test can try them one after the other.
/// Example: examples/test_schedules.cpp
class noise {
 public:
  explicit noise(noise_options wanted = {});
  ~noise();
  noise(const noise&) = delete;
  noise& operator=(const noise&) = delete;

  /// How often threads have stopped.
  std::uint64_t stops() const noexcept;
};

/// Runs `body` and returns the names of the functions in which threads pass points meanwhile, each
/// once. Not beside `noise`. Cost: a lock at each point.
std::vector<std::string> functions_passed(const std::function<void()>& body);

}  // namespace filch::testing
