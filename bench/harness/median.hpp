#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

/// The middle of `values` in order, the upper one of two. `values` must not be empty.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace bench
