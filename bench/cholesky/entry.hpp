#pragma once
#include <bench/cholesky/problem.hpp>
#include <bench/harness/contender.hpp>

namespace bench::cholesky {

inline constexpr identity as(const char* peer, const char* variant = "") {
  return {.problem = "cholesky",
          .peer = peer,
          .size = static_cast<std::int64_t>(parameters{}.n),
          .variant = variant};
}

/// Times `solve(steps, matrix)`, which must run each step after those that it depends on.
template <class Solve>
void measure(contender& me, Solve solve) {
  const parameters p{.n = me.size<std::size_t>()};
  me.require(p.n > 0 && p.n % side == 0, "--size must be a multiple of " + std::to_string(side));
  const std::vector<step> all = steps(p.n / side);
  for (unsigned i = 0; i != me.repeat(); ++i) {
    matrix a = input(p);
    const double seconds = seconds_of([&] { solve(all, a); });
    me.report({{"seconds", seconds}}, check(p, a));
  }
}

}  // namespace bench::cholesky
