#include <bench/harness/tbb_threads.hpp>
#include <bench/primes/entry.hpp>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <functional>

using namespace bench::primes;

namespace {

std::uint64_t on_tbb(const parameters& p) {
  using range = oneapi::tbb::blocked_range<std::uint32_t>;
  return oneapi::tbb::parallel_reduce(
      range(0, p.below), std::uint64_t{0},
      [](const range& part, std::uint64_t count) {
        for (std::uint32_t number = part.begin(); number != part.end(); ++number)
          count += is_prime(number) ? 1 : 0;
        return count;
      },
      std::plus<>{});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const parameters& p) { return threads.run([&] { return on_tbb(p); }); });
  return me.exit_status();
}
