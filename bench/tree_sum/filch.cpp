#include <bench/tree_sum/filch.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::tree_sum::as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.run([&] { bench::tree_sum::measure(me, bench::tree_sum::on_filch); });
  return me.exit_status();
}
