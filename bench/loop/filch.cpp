#include <bench/loop/problem.hpp>
#include <filch/filch.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::loop::as("filch"));
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  bench::loop::measure(me, [&](std::uint32_t* a, std::size_t count) {
    pool.run(
        [&] { filch::parallel_for(std::size_t{0}, count, [a](std::size_t i) { a[i] += 1; }); });
  });
  return me.exit_status();
}
