#include <bench/loop/problem.hpp>

int main(int argc, char** argv) {
  bench::contender me(argc, argv, bench::loop::as("omp"));
  const int threads = static_cast<int>(me.workers());
  bench::loop::measure(me, [&](std::uint32_t* a, std::size_t count) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < count; ++i) a[i] += 1;
  });
  return me.exit_status();
}
