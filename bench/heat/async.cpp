#include <bench/harness/async_threads.hpp>
#include <bench/heat/entry.hpp>

using namespace bench::heat;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("async"));
  bench::async_threads threads(me.workers());
  measure(me, [&](const auto& work) { work(bench::async_forked{threads.levels()}); });
  return me.exit_status();
}
