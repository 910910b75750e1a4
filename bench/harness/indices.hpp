#pragma once
#include <cstddef>
#include <numeric>
#include <vector>

namespace bench {

/// The numbers below `count`, in memory: PSTL and gcc's parallel mode run in parallel over
/// iterators of C++17 only, which those of views are not.
template <class Integer>
std::vector<Integer> indices(Integer count) {
  std::vector<Integer> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Integer{0});
  return all;
}

}  // namespace bench
