// Uses each entrance of the library once, and exits non-zero if a result is wrong.
#include <filch/filch.hpp>

#include <atomic>
#include <cstdio>
#include <stdexcept>

namespace {

int fib(int n) {
  if (n < 2) return n;
  const auto [left, right] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return left + right;
}

bool join_rethrows() {
  try {
    filch::join([] { throw std::runtime_error("left"); }, [] {});
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  filch::thread_pool pool(filch::pool_options{.workers = 2});
  const int forked = pool.run([] { return fib(20); });
  const bool rethrown = pool.run([] { return join_rethrows(); });

  std::atomic<int> looped = 0;
  filch::parallel_for(0, 1000, [&](int i) { looped += i; });
  std::atomic<int> grouped = 0;
  filch::task_group group;
  for (int i = 0; i < 10; ++i) group.run([&] { ++grouped; });
  group.wait();
  const int reduced = filch::parallel_reduce(
      0, 1000, 0, [](int i) { return i; }, [](int a, int b) { return a + b; });

  std::printf("fib %d, rethrown %d, loop %d, group %d, reduce %d\n", forked, rethrown,
              looped.load(), grouped.load(), reduced);
  const bool right =
      forked == 6765 && rethrown && looped == 499500 && grouped == 10 && reduced == 499500;
  return right ? 0 : 1;
}
