#include <bench/dispatch/problem.hpp>
#include <bench/harness/tbb_threads.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::dispatch::as("tbb"));
  bench::tbb_threads threads(me.workers());
  bench::dispatch::measure_where(
      me, [&](auto f) { threads.run(f); },
      [](auto body) { oneapi::tbb::parallel_for(0, 2, body); });
  return me.exit_status();
}
