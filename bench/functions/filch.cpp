// A problem that one function solves: `on_filch` of its filch.hpp. CMakeLists.txt says which.
#include <bench/harness/filch_counters.hpp>
#include BENCH_ENTRY
#include BENCH_FILCH

using namespace BENCH_PROBLEM;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](auto&... given) { return pool.run([&] { return on_filch(given...); }); });
  return me.exit_status();
}
