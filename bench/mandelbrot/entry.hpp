#pragma once
#include <bench/harness/contender.hpp>
#include <bench/mandelbrot/problem.hpp>

namespace bench::mandelbrot {

inline constexpr identity as(const char* peer) {
  return {.problem = "mandelbrot",
          .peer = peer,
          .size = static_cast<std::int64_t>(parameters{}.height)};
}

/// Times `solve(picture)`, which must draw every row of a picture `--size` high and half as wide
/// again.
template <class Solve>
void measure(contender& me, Solve solve) {
  const auto height = me.size<std::size_t>();
  for (unsigned i = 0; i != me.repeat(); ++i) {
    image picture(parameters{.width = height * 3 / 2, .height = height});
    const double seconds = seconds_of([&] { solve(picture); });
    me.report({{"seconds", seconds}}, check(picture));
  }
}

}  // namespace bench::mandelbrot
