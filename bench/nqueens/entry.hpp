#pragma once
#include <bench/harness/contender.hpp>
#include <bench/nqueens/problem.hpp>

namespace bench::nqueens {

inline constexpr identity as(const char* peer) {
  return {.problem = "nqueens", .peer = peer, .size = parameters{}.n};
}

/// Times `solve(parameters)`.
template <class Solve>
void measure(contender& me, Solve solve) {
  me.require(me.size() <= largest_n,
             "--size is the side of the board: at most " + std::to_string(largest_n));
  me.measure(parameters{.n = me.size<int>()}, solve, check);
}

}  // namespace bench::nqueens
