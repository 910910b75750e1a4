#include <bench/find/problem.hpp>
#include <filch/algo.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::find::as("filch"));
  filch::thread_pool pool({.workers = me.workers()});
  pool.warm_up();
  bench::find::measure(me, [&](const auto& numbers, float value) {
    return filch::find(filch::with(pool), numbers, value);
  });
  return me.exit_status();
}
