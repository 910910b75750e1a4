#include <bench/harness/tbb_threads.hpp>
#include <bench/loop/problem.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::loop::as("tbb"));
  bench::tbb_threads threads(me.workers());
  bench::loop::measure(me, [&](std::uint32_t* a, std::size_t count) {
    threads.run([&] {
      oneapi::tbb::parallel_for(std::size_t{0}, count, [a](std::size_t i) { a[i] += 1; });
    });
  });
  return me.exit_status();
}
