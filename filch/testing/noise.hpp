#pragma once
#include <filch/base/thread.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace filch::testing {

struct noise_options {
  std::uint64_t seed = 0;
  /// How many points a thread passes from one stop to the next, on average; at least 1, which is
  /// each.
  unsigned one_in = 64;
  std::chrono::nanoseconds longest{
      /// Of a stop. Half of them are shorter: they let somebody else have the processor, if anybody
      /// wants it.
      50'000};
  /// Only at points in functions of this name, as `functions_passed` gives it; empty: at all.
  std::string function = {};
};

/// While it lives, threads of the machine's own stop for a moment where the deterministic scheduler
/// would choose who goes on: at every access of filch's, at `testing::point`, at reads and writes
/// of `testing::shared`. What needs a rare interleaving of real threads comes sooner, also under
/// the thread sanitizer, which the deterministic scheduler hides races from. For programs that link
/// `filch::testing`.
///
/// A seed decides where each thread stops, not what the others do meanwhile: a failure need not
/// come again.
/// Threads:  affects all; one lives at a time.
/// Cost:     of a point some 5 ns while it lives; 30 where a function is named.
/// Source: Edelstein, Farchi, Nir, Ratsaby and Ur, Multithreaded Java program test generation, IBM
/// Systems Journal 41 (2002): noise at shared accesses. We
///           differ: it can be kept to one function, so that a test can try them one after the
///           other.
class noise {
 public:
  explicit noise(noise_options wanted = {});
  ~noise();
  noise(const noise&) = delete;
  noise& operator=(const noise&) = delete;

  /// How often threads have stopped.
  std::uint64_t stops() const noexcept;
};

/// The functions in which threads pass points while `body` runs: each once, by name. Not beside
/// `noise`. Cost: a lock at each point.
std::vector<std::string> functions_passed(const std::function<void()>& body);

}  // namespace filch::testing
