#pragma once
#include <bench/harness/contender.hpp>
#include <bench/sum/problem.hpp>

namespace bench::sum {

inline constexpr identity as(const char* peer) {
  return {.problem = "sum", .peer = peer, .size = static_cast<std::int64_t>(parameters{}.count)};
}

/// Times `solve(parameters)`.
template <class Solve>
void measure(contender& me, Solve solve) {
  me.measure(parameters{.count = me.size<std::uint64_t>()}, solve, check);
}

}  // namespace bench::sum
