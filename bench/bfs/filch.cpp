#include <bench/bfs/entry.hpp>
#include <bench/bfs/filch.hpp>
#include <bench/harness/filch_counters.hpp>

using namespace bench::bfs;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](const graph& g, vertex source) {
    return pool.run([&] { return on_filch(g, source); });
  });
  return me.exit_status();
}
