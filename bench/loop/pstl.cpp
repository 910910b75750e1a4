#include <bench/harness/tbb_threads.hpp>
#include <bench/loop/problem.hpp>

#include <execution>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::loop::as("pstl"));
  bench::tbb_threads threads(me.workers());
  bench::loop::measure(me, [&](std::uint32_t* a, std::size_t count) {
    threads.run([&] {
      std::for_each(std::execution::par, a, a + count, [](std::uint32_t& number) { number += 1; });
    });
  });
  return me.exit_status();
}
