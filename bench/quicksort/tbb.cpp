#include <bench/harness/tbb_forked.hpp>
#include <bench/harness/tbb_threads.hpp>
#include <bench/quicksort/entry.hpp>

using namespace bench::quicksort;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](std::span<value> values) {
    threads.run([&] { sort(values, bench::tbb_forked{}); });
  });
  return me.exit_status();
}
