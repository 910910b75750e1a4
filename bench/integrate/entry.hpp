#pragma once
#include <bench/harness/contender.hpp>
#include <bench/integrate/problem.hpp>

namespace bench::integrate {

inline constexpr identity as(const char* peer) {
  return {
      .problem = "integrate", .peer = peer, .size = static_cast<std::int64_t>(parameters{}.upper)};
}

/// Times `solve(parameters)`.
template <class Solve>
void measure(contender& me, Solve solve) {
  me.measure(parameters{.upper = static_cast<double>(me.size())}, solve, check);
}

}  // namespace bench::integrate
