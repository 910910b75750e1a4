#include <bench/harness/filch_counters.hpp>
#include <bench/mandelbrot/entry.hpp>
#include <bench/mandelbrot/filch.hpp>

using namespace bench::mandelbrot;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](image& picture) { return pool.run([&] { return on_filch(picture); }); });
  return me.exit_status();
}
