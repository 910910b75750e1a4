// The page on modules: `import filch;` stands for the headers. Work O(n log n), span O(log^3 n).
// [import]
#include <coroutine>
#include <cstdio>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

import filch;

filch::task<long> sum(const std::vector<long>& v) {
  co_return filch::parallel_reduce(v.begin(), v.end(), 0L, std::identity{}, std::plus<>{});
}

int main() {
  std::vector<long> v(1'000'000);
  filch::parallel_for(0L, 1'000'000L, [&](long i) { v[i] = i * 7 % 1'000'000; });
  filch::sort(v);
  const auto [least, most] = filch::join([&] { return v.front(); }, [&] { return v.back(); });
  filch::join_handle<long> total = filch::spawn(sum(v));
  std::printf("%ld %ld %ld\n", least, most, filch::block_on(std::move(total)));
}
// [import]
