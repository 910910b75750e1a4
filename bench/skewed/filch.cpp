#include <bench/harness/filch_counters.hpp>
#include <bench/skewed/filch.hpp>

using namespace bench::skewed;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](const parameters& p) { return pool.run([&] { return on_filch(p); }); });
  return me.exit_status();
}
