#include <bench/harness/filch_counters.hpp>
#include <bench/mergesort/entry.hpp>
#include <bench/mergesort/filch.hpp>

using namespace bench::mergesort;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](std::span<value> values) { return pool.run([&] { return on_filch(values); }); });
  return me.exit_status();
}
