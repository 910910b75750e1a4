#pragma once
#include <bench/harness/contender.hpp>
#include <bench/heat/problem.hpp>

namespace bench::heat {

inline constexpr identity as(const char* peer) {
  return {.problem = "heat", .peer = peer, .size = static_cast<std::int64_t>(parameters{}.n)};
}

/// Times `solve(work)`, which must call `work(both)` with a way to run two halves on its threads.
template <class Solve>
void measure(contender& me, Solve solve) {
  const parameters p{.n = me.size<std::size_t>()};
  me.require(p.n > 0, "--size counts the points along a side: it must be at least 1");
  for (unsigned i = 0; i != me.repeat(); ++i) {
    plate now = input(p), other = now;
    const double seconds =
        seconds_of([&] { solve([&](const auto& both) { spread(now, other, p.steps, both); }); });
    me.report({{"seconds", seconds}}, check(p, now));
  }
}

}  // namespace bench::heat
