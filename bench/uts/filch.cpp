#include <bench/harness/filch_counters.hpp>
#include <bench/uts/entry.hpp>
#include <bench/uts/filch.hpp>

using namespace bench::uts;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](const tree& t) { return pool.run([&] { return on_filch(t); }); });
  return me.exit_status();
}
