#pragma once
#include <bench/fib/problem.hpp>
#include <bench/harness/contender.hpp>

namespace bench::fib {

inline constexpr identity as(const char* peer) {
  return {.problem = "fib", .peer = peer, .size = parameters{}.n};
}

/// Times `solve(parameters)`.
template <class Solve>
void measure(contender& me, Solve solve) {
  me.require(me.size() <= largest_n,
             "--size is the index of the Fibonacci number: at most " + std::to_string(largest_n));
  me.measure(parameters{.n = me.size<unsigned>()}, solve, check);
}

}  // namespace bench::fib
