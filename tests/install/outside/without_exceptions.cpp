// The headers and a join, in a program compiled with -fno-exceptions and -fno-rtti against the ordinary library.
#include <filch/filch.hpp>

int main() {
  filch::thread_pool pool(filch::pool_options{.workers = 2});
  const auto [left, right] = pool.run([] { return filch::join([] { return 1; }, [] { return 2; }); });
  return left + right == 3 ? 0 : 1;
}
