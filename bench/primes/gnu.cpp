#include <bench/harness/indices.hpp>
#include <bench/primes/entry.hpp>

#include <omp.h>
#include <parallel/algorithm>

using namespace bench::primes;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  const auto all = bench::indices(me.size<std::uint32_t>());
  measure(me, [&](const parameters&) {
    // Otherwise it counts in equal parts, of which the last costs most.
    const auto count = __gnu_parallel::count_if(
        all.begin(), all.end(), [](std::uint32_t n) { return is_prime(n); },
        __gnu_parallel::parallel_balanced);
    return static_cast<std::uint64_t>(count);
  });
  return me.exit_status();
}
