#include <bench/harness/indices.hpp>
#include <bench/harness/tbb_threads.hpp>
#include <bench/primes/entry.hpp>

#include <algorithm>
#include <execution>

using namespace bench::primes;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("pstl"));
  bench::tbb_threads threads(me.workers());
  const auto all = bench::indices(me.size<std::uint32_t>());
  measure(me, [&](const parameters&) {
    return threads.run([&] {
      const auto count = std::count_if(std::execution::par, all.begin(), all.end(),
                                       [](std::uint32_t n) { return is_prime(n); });
      return static_cast<std::uint64_t>(count);
    });
  });
  return me.exit_status();
}
