#include <bench/find/problem.hpp>
#include <bench/harness/tbb_threads.hpp>

#include <algorithm>
#include <execution>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::find::as("pstl"));
  bench::tbb_threads threads(me.workers());
  bench::find::measure(me, [&](const auto& numbers, float value) {
    return threads.run(
        [&] { return std::find(std::execution::par, numbers.begin(), numbers.end(), value); });
  });
  return me.exit_status();
}
