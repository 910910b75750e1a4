#include <bench/fib/entry.hpp>
#include <bench/harness/omp_threads.hpp>

using namespace bench::fib;

namespace {

std::uint64_t on_omp(unsigned n) {
  if (n < 2) return n;
  std::uint64_t left = 0;
#pragma omp task shared(left)
  left = on_omp(n - 1);
  const std::uint64_t right = on_omp(n - 2);
#pragma omp taskwait
  return left + right;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me, [&](const parameters& p) { return threads.run([&] { return on_omp(p.n); }); });
  return me.exit_status();
}
