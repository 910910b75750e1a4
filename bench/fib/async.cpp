#include <bench/fib/entry.hpp>
#include <bench/harness/async_threads.hpp>

using namespace bench::fib;

namespace {

std::uint64_t on_async(unsigned n, unsigned levels) {
  if (levels == 0 || n < 2) return serial(n);
  return bench::async_sum([=] { return on_async(n - 1, levels - 1); },
                          [=] { return on_async(n - 2, levels - 1); });
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("async"));
  bench::async_threads threads(me.workers());
  measure(me, [&](const parameters& p) { return on_async(p.n, threads.levels()); });
  return me.exit_status();
}
