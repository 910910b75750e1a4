// The headers, a join and a coroutine, in a program compiled with -fno-exceptions and -fno-rtti
// against the ordinary library.
#include <filch/filch.hpp>

filch::task<int> give(int value) { co_return value; }

int main() {
  filch::thread_pool pool(filch::pool_options{.workers = 2});
  const auto [left, right] =
      pool.run([] { return filch::join([] { return 1; }, [] { return 2; }); });
  return left + right == filch::block_on(filch::spawn(pool, give(3))) ? 0 : 1;
}
