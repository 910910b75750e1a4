#pragma once
#include <bench/harness/contender.hpp>
#include <bench/matmul/problem.hpp>

namespace bench::matmul {

inline constexpr identity as(const char* peer) {
  return {.problem = "matmul", .peer = peer, .size = static_cast<std::int64_t>(parameters{}.n)};
}

/// Times `solve(a, b, c)`, which must add the product of a and b to c; c is zero and its pages are
/// there.
template <class Solve>
void measure(contender& me, Solve solve) {
  const parameters p{.n = me.size<std::size_t>()};
  const std::vector<double> a = input(p, 0), b = input(p, 1);
  for (unsigned i = 0; i != me.repeat(); ++i) {
    std::vector<double> c(p.n * p.n);
    const double seconds = seconds_of([&] { solve(whole(a, p.n), whole(b, p.n), whole(c, p.n)); });
    me.report({{"seconds", seconds}}, check(p, whole(a, p.n), whole(b, p.n), whole(c, p.n)));
  }
}

}  // namespace bench::matmul
