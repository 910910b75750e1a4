#pragma once
#include <bench/harness/contender.hpp>
#include <bench/primes/problem.hpp>

namespace bench::primes {

inline constexpr identity as(const char* peer) {
  return {.problem = "primes", .peer = peer, .size = static_cast<std::int64_t>(parameters{}.below)};
}

/// Times `solve(parameters)`.
template <class Solve>
void measure(contender& me, Solve solve) {
  me.measure(parameters{.below = me.size<std::uint64_t>()}, solve, check);
}

}  // namespace bench::primes
