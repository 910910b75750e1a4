// A problem that is written over a way to run two halves. CMakeLists.txt says which.
#include <bench/ways.hpp>
#include BENCH_ENTRY

using namespace BENCH_PROBLEM;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [&](const auto& work) { work(bench::in_order{}); });
  return me.exit_status();
}
