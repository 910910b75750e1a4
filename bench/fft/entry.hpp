#pragma once
#include <bench/fft/problem.hpp>
#include <bench/harness/contender.hpp>

namespace bench::fft {

inline constexpr identity as(const char* peer) {
  return {.problem = "fft", .peer = peer, .size = parameters{}.log2_size};
}

/// Times `solve(work)`, which must call `work(both)` with a way to run two halves on its threads.
/// There are two to the power `--size` points, and making the plan is not timed.
template <class Solve>
void measure(contender& me, Solve solve) {
  me.require(me.size() <= 30, "--size is the binary logarithm of the number of points: at most 30");
  const parameters p{.log2_size = me.size<unsigned>()};
  const plan how(p.size());
  const std::vector<number> in = input(p);
  std::vector<number> out(p.size());
  for (unsigned i = 0; i != me.repeat(); ++i) {
    const double seconds =
        seconds_of([&] { solve([&](const auto& both) { how(in, out, both); }); });
    me.report({{"seconds", seconds}}, check(how, in, out));
  }
}

}  // namespace bench::fft
