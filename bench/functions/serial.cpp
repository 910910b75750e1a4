// A problem that one function solves, `serial`. CMakeLists.txt says which.
#include BENCH_ENTRY

using namespace BENCH_PROBLEM;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("serial"));
  measure(me, [](auto&... given) { return serial(given...); });
  return me.exit_status();
}
