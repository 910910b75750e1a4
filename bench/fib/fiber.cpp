#include <bench/fib/entry.hpp>
#include <bench/harness/fiber_threads.hpp>

using namespace bench::fib;

namespace {

std::uint64_t on_fibers(unsigned n) {
  if (n < 2) return n;
  std::uint64_t left = 0;
  boost::fibers::fiber other = bench::start_fiber([&] { left = on_fibers(n - 1); });
  const std::uint64_t right = on_fibers(n - 2);
  other.join();
  return left + right;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("fiber"));
  bench::fiber_threads threads(me.workers());
  measure(me, [&](const parameters& p) { return threads.run([&] { return on_fibers(p.n); }); });
  return me.exit_status();
}
