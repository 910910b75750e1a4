#pragma once
#include <bench/harness/contender.hpp>
#include <bench/strassen/problem.hpp>

namespace bench::strassen {

inline constexpr identity as(const char* peer) {
  return {.problem = "strassen", .peer = peer, .size = static_cast<std::int64_t>(parameters{}.n)};
}

/// Times `solve(work)`, which must call `work(both)` with a way to run two halves on its threads.
template <class Solve>
void measure(contender& me, Solve solve) {
  const parameters p{.n = me.size<std::size_t>()};
  me.require(is_fitting(p.n), size_rule);
  const std::vector<double> a = input(p, 0), b = input(p, 1);
  for (unsigned i = 0; i != me.repeat(); ++i) {
    std::vector<double> c(p.n * p.n);
    const double seconds = seconds_of([&] {
      solve([&](const auto& both) {
        add_fast_product(whole(a, p.n), whole(b, p.n), whole(c, p.n), both);
      });
    });
    me.report({{"seconds", seconds}},
              check(p, whole(a, p.n), whole(b, p.n), whole(std::as_const(c), p.n)));
  }
}

}  // namespace bench::strassen
