#pragma once
#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2::testing {

/// A few threads and the claims about them, asserted with `model_assert`. Built anew for every
/// execution.
class scenario_steps {
 public:
  virtual ~scenario_steps() = default;
  virtual void thread(unsigned index) = 0;
  virtual void after() {}
};

/// The base of what a model check explores. Each checker reads the constants that concern it.
template <int Threads>
struct scenario : scenario_steps {
  static constexpr int thread_count = Threads;
  /// Relacy: preemptions in its exhaustive part. 2 is known to be too few; 0 leaves that part out.
  static constexpr unsigned context_bound = 3;
  static constexpr std::uint64_t random_execution_count = 200'000;
  /// The explorer: the bound on preemptions, unbounded if that ends in seconds. FILCH_LONG=1 in the
  /// environment lifts the bound.
  static constexpr unsigned preemption_bound = ~0U;
  /// The explorer: every allocation of the threads may fail.
  static constexpr bool allocations_fail = false;
};

/// Builds a scenario at `place`, which has room for it.
using scenario_builder = scenario_steps* (*)(void* place);
inline constexpr std::size_t scenario_bytes = 8192;

}  // namespace filch::testing
