#include <bench/find/problem.hpp>

#include <omp.h>
#include <parallel/algorithm>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::find::as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  bench::find::measure(me, [](const auto& numbers, float value) {
    return __gnu_parallel::find(numbers.begin(), numbers.end(), value);
  });
  return me.exit_status();
}
