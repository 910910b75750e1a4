#pragma once
#include <bench/harness/contender.hpp>
#include <bench/primes/problem.hpp>

namespace bench::primes {

inline constexpr identity as(const char* peer) {
  return {.problem = "primes", .peer = peer, .size = parameters{}.below};
}

/// Times `solve(parameters)`.
template <class Solve>
void measure(contender& me, Solve solve) {
  me.require(me.size() <= most_below, "--size is too large");
  me.measure(parameters{.below = me.size<std::uint32_t>()}, solve, check);
}

}  // namespace bench::primes
