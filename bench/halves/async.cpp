// A problem that is written over a way to run two halves. CMakeLists.txt says which.
#include <bench/harness/async_threads.hpp>
#include BENCH_ENTRY

using namespace BENCH_PROBLEM;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("async"));
  bench::async_threads threads(me.workers());
  measure(me, [&](const auto& work) { work(bench::async_forked{threads.levels()}); });
  return me.exit_status();
}
