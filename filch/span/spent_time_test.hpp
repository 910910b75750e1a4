#pragma once
// A clock that only the program under analysis moves, so that results are exact.
#include <filch/span/analyze.hpp>

namespace filch::inline v0_2::span {

inline std::uint64_t spent = 0;
inline void spend(std::uint64_t ns) { spent += ns; }

/// Nothing is subtracted; a fork costs `fork_ns` and a steal `burden_ns`.
inline analysis::options on_spent_time(double fork_ns = 0, double burden_ns = 0) {
  return {.costs = analysis::costs{.fork_ns = fork_ns, .steal_ns = burden_ns},
          .clock = []() noexcept { return spent; }};
}

}  // namespace filch::span
