#include <bench/harness/filch_counters.hpp>
#include <bench/triangles/entry.hpp>
#include <bench/triangles/filch.hpp>

using namespace bench::triangles;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](const graph& g) { return pool.run([&] { return on_filch(g); }); });
  return me.exit_status();
}
