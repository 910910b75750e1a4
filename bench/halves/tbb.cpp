// A problem that is written over a way to run two halves. CMakeLists.txt says which.
#include <bench/harness/tbb_forked.hpp>
#include <bench/harness/tbb_threads.hpp>
#include BENCH_ENTRY

using namespace BENCH_PROBLEM;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const auto& work) { threads.run([&] { work(bench::tbb_forked{}); }); });
  return me.exit_status();
}
