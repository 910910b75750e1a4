#pragma once
// Spreads heat on a square plate, step by step; the rows of a step are halved recursively. The
// benchmark of the Cilk suite.
#include <bench/ways.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

namespace bench::heat {

struct parameters {
  std::size_t n = 2048;  ///< Points inside, along a side.
  int steps = 20;
};

/// The share of the difference to each neighbor that flows in a step; stable up to a quarter.
inline constexpr double flow = 0.2;

/// Below this many rows a loop is quicker than a fork.
inline constexpr std::size_t plain_rows = 16;

/// The plate with its rim, which is kept at zero.
class plate {
 public:
  explicit plate(std::size_t n) : side_(n + 2), values_(side_ * side_) {}
  double* row(std::size_t i) noexcept { return values_.data() + i * side_; }
  const double* row(std::size_t i) const noexcept { return values_.data() + i * side_; }
  std::size_t side() const noexcept { return side_; }

 private:
  std::size_t side_;
  std::vector<double> values_;
};

/// One step of the rows [first, last). `both` may have a `computes` that is told of the rows that
/// are not halved any more.
template <class Both>
void step(const plate& from, plate& to, std::size_t first, std::size_t last, const Both& both) {
  if (last - first > plain_rows) {
    const std::size_t middle = first + (last - first) / 2;
    both([&] { step(from, to, first, middle, both); }, [&] { step(from, to, middle, last, both); });
    return;
  }
  if constexpr (requires { both.computes(from, to, first, last); })
    both.computes(from, to, first, last);
  for (std::size_t i = first; i < last; ++i) {
    const double *above = from.row(i - 1), *here = from.row(i), *below = from.row(i + 1);
    double* next = to.row(i);
    for (std::size_t j = 1; j + 1 < from.side(); ++j) {
      next[j] = here[j] + flow * (above[j] + below[j] + here[j - 1] + here[j + 1] - 4 * here[j]);
    }
  }
}

/// Leaves the plate after all steps in `now`. Cost: work O(steps n^2), span O(steps log n).
template <class Both>
void spread(plate& now, plate& other, int steps, const Both& both) {
  for (int i = 0; i < steps; ++i) {
    step(now, other, 1, now.side() - 1, both);
    std::swap(now, other);
  }
}

/// Half a wave along each side, which keeps its shape and loses the same share of its height in
/// each step.
inline double wave(std::size_t i, std::size_t side) {
  return std::sin(std::numbers::pi * static_cast<double>(i) / static_cast<double>(side - 1));
}

inline plate input(const parameters& p) {
  plate hot(p.n);
  for (std::size_t i = 1; i + 1 < hot.side(); ++i) {
    for (std::size_t j = 1; j + 1 < hot.side(); ++j)
      hot.row(i)[j] = wave(i, hot.side()) * wave(j, hot.side());
  }
  return hot;
}

/// Says where `result` differs from the wave by more than rounding; empty if it does not.
inline std::string check(const parameters& p, const plate& result) {
  const double half = std::sin(std::numbers::pi / 2 / static_cast<double>(result.side() - 1));
  const double height = std::pow(1 - 8 * flow * half * half, p.steps);
  for (std::size_t i = 1; i + 1 < result.side(); ++i) {
    for (std::size_t j = 1; j + 1 < result.side(); ++j) {
      const double expected = height * wave(i, result.side()) * wave(j, result.side());
      if (!(std::abs(result.row(i)[j] - expected) <= 1e-10))
        return "row " + std::to_string(i) + ", column " + std::to_string(j) + " is wrong";
    }
  }
  return {};
}

}  // namespace bench::heat
