// The example of README.md. Work O(n) each, span O(log n).
// [first_steps]
#include <filch/filch.hpp>

#include <cstdio>
#include <functional>
#include <vector>

long sum(const std::vector<long>& v, std::size_t first, std::size_t last) {
  if (last - first == 1) return v[first];
  const std::size_t middle = first + (last - first) / 2;
  // Both sides may run in parallel. A side that no worker takes is a plain call.
  auto [left, right] = filch::join([&] { return sum(v, first, middle); },
                                   [&] { return sum(v, middle, last); });
  return left + right;
}

int main() {
  std::vector<long> v(1'000'000);
  // A loop finds by itself how many iterations run between two forks
  filch::parallel_for(0, 1'000'000, [&](int i) { v[static_cast<std::size_t>(i)] = i; });
  const long squares = filch::parallel_reduce(
      v.begin(), v.end(), 0L, [](long x) { return x * x % 7; }, std::plus<>{});
  std::printf("%ld %ld\n", sum(v, 0, v.size()), squares);
}
// [first_steps]
