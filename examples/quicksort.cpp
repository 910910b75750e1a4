// Quicksort, the first example of every fork-join library.
// Work O(n log n) expected; span O(n), because the partition is serial: parallelism is about log n,
// which is why a parallel sort partitions in parallel too. The example is here for its shape, not
// for its speed.
#include <filch/filch.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

namespace {

// [quicksort]
void quicksort(std::span<int> v) {
  // The natural base case: below it insertion sort wins
  if (v.size() <= 32) return std::sort(v.begin(), v.end());
  const int pivot = v[v.size() / 2];
  const auto middle = std::partition(v.begin(), v.end(), [=](int x) { return x < pivot; });
  const auto above = std::partition(middle, v.end(), [=](int x) { return x == pivot; });
  filch::join([&] { quicksort({v.begin(), middle}); }, [&] { quicksort({above, v.end()}); });
}
// [quicksort]

}  // namespace

int main() {
  std::vector<int> v(1'000'000);
  std::mt19937 random(1);
  std::generate(v.begin(), v.end(), random);
  quicksort(v);
  const bool is_sorted = std::is_sorted(v.begin(), v.end());
  std::printf("%s\n", is_sorted ? "sorted" : "not sorted");
  return is_sorted ? 0 : 1;
}
