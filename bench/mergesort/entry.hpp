#pragma once
#include <bench/harness/contender.hpp>
#include <bench/mergesort/problem.hpp>

namespace bench::mergesort {

inline constexpr identity as(const char* peer) {
  return {
      .problem = "mergesort", .peer = peer, .size = static_cast<std::int64_t>(parameters{}.count)};
}

/// Times `solve(work)`, which must call `work(both)` with a way to run two halves on its threads.
/// Every repeat gets the same random values.
template <class Solve>
void measure(contender& me, Solve solve) {
  const parameters p{.count = me.size<std::size_t>()};
  for (unsigned i = 0; i != me.repeat(); ++i) {
    std::vector<value> values = input(p);
    const double seconds =
        seconds_of([&] { solve([&](const auto& both) { sort(values, both); }); });
    me.report({{"seconds", seconds}}, check(p, values));
  }
}

}  // namespace bench::mergesort
