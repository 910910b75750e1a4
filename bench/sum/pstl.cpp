#include <bench/harness/indices.hpp>
#include <bench/harness/tbb_threads.hpp>
#include <bench/sum/entry.hpp>

#include <execution>
#include <functional>

using namespace bench::sum;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("pstl"));
  bench::tbb_threads threads(me.workers());
  const auto all = bench::indices(me.size<std::uint64_t>());
  measure(me, [&](const parameters& p) {
    return threads.run([&] {
      return std::transform_reduce(std::execution::par, all.begin(), all.end(), std::uint64_t{0},
                                   std::plus<>{}, [&p](std::uint64_t i) { return element(p, i); });
    });
  });
  return me.exit_status();
}
