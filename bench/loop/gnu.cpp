#include <bench/loop/problem.hpp>

#include <omp.h>
#include <parallel/algorithm>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::loop::as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  bench::loop::measure(me, [](std::uint32_t* a, std::size_t count) {
    // What costs the same everywhere it hands out in equal parts, if it is told so.
    __gnu_parallel::for_each(
        a, a + count, [](std::uint32_t& number) { number += 1; },
        __gnu_parallel::parallel_unbalanced);
  });
  return me.exit_status();
}
