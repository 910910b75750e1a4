#include <bench/harness/tbb_threads.hpp>
#include <bench/mandelbrot/entry.hpp>

using namespace bench::mandelbrot;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](image& picture) {
    threads.run([&] {
      oneapi::tbb::parallel_for(std::size_t{0}, picture.shape.height,
                                [&](std::size_t y) { draw_row(picture, y); });
    });
  });
  return me.exit_status();
}
