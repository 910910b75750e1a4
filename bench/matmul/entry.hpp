#pragma once
#include <bench/harness/contender.hpp>
#include <bench/matmul/problem.hpp>

namespace bench::matmul {

inline constexpr identity as(const char* peer) {
  return {.problem = "matmul", .peer = peer, .size = static_cast<std::int64_t>(parameters{}.n)};
}

/// Times `solve(work)`, which must call `work(both)` with a way to run two halves on its threads.
/// The matrix of the product is zero and its pages are there.
template <class Solve>
void measure(contender& me, Solve solve) {
  const parameters p{.n = me.size<std::size_t>()};
  const std::vector<double> a = input(p, 0), b = input(p, 1);
  for (unsigned i = 0; i != me.repeat(); ++i) {
    std::vector<double> c(p.n * p.n);
    const double seconds = seconds_of([&] {
      solve([&](const auto& both) {
        add_product(whole(a, p.n), whole(b, p.n), whole(c, p.n), both);
      });
    });
    me.report({{"seconds", seconds}}, check(p, whole(a, p.n), whole(b, p.n), whole(c, p.n)));
  }
}

}  // namespace bench::matmul
