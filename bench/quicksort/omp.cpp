#include <bench/harness/omp_threads.hpp>
#include <bench/quicksort/entry.hpp>

using namespace bench::quicksort;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me, [&](std::span<value> values) {
    threads.run([&] { sort(values, bench::omp_forked{}); });
  });
  return me.exit_status();
}
