#include <bench/harness/tbb_sorter.hpp>
#include <bench/integer_sort/problem.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::integer_sort::as("tbb"));
  bench::tbb_sorter peer{.threads = bench::tbb_threads(me.workers())};
  bench::integer_sort::measure(me, peer);
  return me.exit_status();
}
