// A problem that is written over a way to run two halves. CMakeLists.txt says which.
#include <bench/filch_ways.hpp>
#include <bench/harness/filch_counters.hpp>
#include BENCH_ENTRY

using namespace BENCH_PROBLEM;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](const auto& work) { pool.run([&] { work(bench::forked{}); }); });
  return me.exit_status();
}
