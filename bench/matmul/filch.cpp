#include <bench/harness/filch_counters.hpp>
#include <bench/matmul/entry.hpp>
#include <bench/matmul/filch.hpp>

using namespace bench::matmul;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](operand a, operand b, output c) {
    return pool.run([&] { return on_filch(a, b, c); });
  });
  return me.exit_status();
}
