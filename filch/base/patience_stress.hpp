#pragma once
// How long a stress test waits for what must come, before it reports a loss.
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace filch::inline v0_2::base {

inline constexpr std::uint64_t great_patience_ns = 20'000'000'000;
/// For a case in which a loss is expected.
inline constexpr std::uint64_t little_patience_ns = 100'000'000;

/// Whether `has_come` within that much time of this thread's own: a process that was suspended
/// meanwhile has not lost anything.
template <class Condition>
bool comes_within(std::uint64_t patience_ns, Condition&& has_come) {
  constexpr std::uint64_t longest_turn_ns = 1'000'000;
  std::uint64_t looked_at = now_ns();
  for (std::uint64_t waited_ns = 0; !has_come();) {
    if (waited_ns > patience_ns) return false;
    yield_thread();
    const std::uint64_t before = std::exchange(looked_at, now_ns());
    waited_ns += std::min(looked_at - before, longest_turn_ns);
  }
  return true;
}

}  // namespace filch::base
