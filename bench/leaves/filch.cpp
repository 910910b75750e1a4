#include <bench/leaves/filch.hpp>
#include <bench/leaves/problem.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::leaves::as("filch"));
  bench::leaves::filch_pool pool{filch::thread_pool(filch::pool_options{.workers = me.workers()})};
  bench::leaves::measure(me, pool);
  return me.exit_status();
}
