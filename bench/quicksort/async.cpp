#include <bench/harness/async_threads.hpp>
#include <bench/quicksort/entry.hpp>

using namespace bench::quicksort;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("async"));
  bench::async_threads threads(me.workers());
  measure(me,
          [&](std::span<value> values) { sort(values, bench::async_forked{threads.levels()}); });
  return me.exit_status();
}
