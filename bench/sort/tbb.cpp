#include <bench/harness/tbb_sorter.hpp>
#include <bench/sort/problem.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::sort::as("tbb"));
  bench::tbb_sorter peer{.threads = bench::tbb_threads(me.workers())};
  bench::sort::measure(me, peer);
  return me.exit_status();
}
