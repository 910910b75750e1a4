#include <bench/harness/indices.hpp>
#include <bench/harness/tbb_threads.hpp>
#include <bench/mandelbrot/entry.hpp>

#include <algorithm>
#include <execution>

using namespace bench::mandelbrot;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("pstl"));
  bench::tbb_threads threads(me.workers());
  const auto rows = bench::indices(me.size<std::size_t>());
  measure(me, [&](image& picture) {
    threads.run([&] {
      std::for_each(std::execution::par, rows.begin(), rows.end(),
                    [&](std::size_t y) { draw_row(picture, y); });
    });
  });
  return me.exit_status();
}
