#pragma once
#include <bench/harness/contender.hpp>
#include <bench/lu/problem.hpp>

namespace bench::lu {

inline constexpr identity as(const char* peer) {
  return {.problem = "lu", .peer = peer, .size = static_cast<std::int64_t>(parameters{}.n)};
}

/// Times `solve(work)`, which must call `work(both)` with a way to run two halves on its threads.
template <class Solve>
void measure(contender& me, Solve solve) {
  const parameters p{.n = me.size<std::size_t>()};
  for (unsigned i = 0; i != me.repeat(); ++i) {
    std::vector<double> a = input(p);
    const double seconds =
        seconds_of([&] { solve([&](const auto& both) { split(whole(a, p.n), both); }); });
    me.report({{"seconds", seconds}}, check(p, whole(std::as_const(a), p.n)));
  }
}

}  // namespace bench::lu
