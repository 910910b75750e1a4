#include <bench/fft/entry.hpp>
#include <bench/fft/filch.hpp>
#include <bench/harness/filch_counters.hpp>

using namespace bench::fft;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](const plan& how, const std::vector<number>& in, std::vector<number>& out) {
    return pool.run([&] { return on_filch(how, in, out); });
  });
  return me.exit_status();
}
