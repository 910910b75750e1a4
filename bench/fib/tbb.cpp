#include <bench/fib/entry.hpp>
#include <bench/harness/tbb_threads.hpp>

#include <oneapi/tbb/task_group.h>

using namespace bench::fib;

namespace {

std::uint64_t on_tbb(unsigned n) {
  if (n < 2) return n;
  std::uint64_t left = 0;
  oneapi::tbb::task_group group;
  group.run([&left, n] { left = on_tbb(n - 1); });
  const std::uint64_t right = on_tbb(n - 2);
  group.wait();
  return left + right;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const parameters& p) { return threads.run([&] { return on_tbb(p.n); }); });
  return me.exit_status();
}
