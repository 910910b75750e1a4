#include <bench/harness/omp_threads.hpp>
#include <bench/lu/entry.hpp>

using namespace bench::lu;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  bench::omp_threads threads(me.workers());
  measure(me, [&](const auto& work) { threads.run([&] { work(bench::omp_forked{}); }); });
  return me.exit_status();
}
