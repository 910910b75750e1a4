#pragma once
// When the median of a cell's samples has settled: the rule of settling.py, if there is no Python.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace bench::settling {

inline constexpr unsigned least = 5;
inline constexpr unsigned most = 11;
/// A cell that has taken this long gets no more samples than `least`.
inline constexpr double most_seconds = 60;
inline constexpr double probability = 0.9;
inline constexpr double within = 0.02;  ///< A share of the median, to either side.

/// The largest k for which the k-th smallest and the k-th greatest of `count` samples enclose the
/// median with probability `wanted`; 0 if none do.
inline std::size_t rank(std::size_t count, double wanted = probability) noexcept {
  std::size_t k = 0;
  // The chance that exactly k of `count` throws of a coin are heads
  double chance = std::ldexp(1.0, -static_cast<int>(count));
  for (double outside = 2 * chance; k < count && 1 - outside >= wanted; outside += 2 * chance) {
    chance = chance * static_cast<double>(count - k) / static_cast<double>(k + 1);
    ++k;
  }
  return k;
}

/// The middle one of `values` in order, or the mean of two. `values` must not be empty.
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Whether the median is known to `within`.
inline bool is_settled(std::vector<double> values) {
  const std::size_t k = rank(values.size());
  if (k == 0) return false;
  std::ranges::sort(values);
  const double middle = median(values);
  return std::max(middle - values[k - 1], values[values.size() - k] - middle) <= within * middle;
}

}  // namespace bench::settling
