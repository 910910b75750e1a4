#include <bench/harness/filch_counters.hpp>
#include <bench/words/entry.hpp>
#include <bench/words/filch.hpp>

using namespace bench::words;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  bench::report_counters(me, pool);
  measure(me, [&](const std::vector<file>& files) {
    return pool.run([&] { return on_filch(files); });
  });
  return me.exit_status();
}
