#pragma once
#include <bench/harness/contender.hpp>
#include <bench/knapsack/problem.hpp>

namespace bench::knapsack {

inline constexpr identity as(const char* peer) {
  return {
      .problem = "knapsack", .peer = peer, .size = static_cast<std::int64_t>(parameters{}.count)};
}

/// Times `solve(work)`, which must call `work(both)` with a way to run two halves on its threads.
template <class Solve>
void measure(contender& me, Solve solve) {
  const goods all(parameters{.count = me.size<std::size_t>()});
  for (unsigned i = 0; i != me.repeat(); ++i) {
    best_value best;
    const double seconds = seconds_of(
        [&] { solve([&](const auto& both) { search(all, {.room = all.room}, best, both); }); });
    me.report({{"seconds", seconds}}, check(all, best.get()));
  }
}

}  // namespace bench::knapsack
