#include <bench/mandelbrot/entry.hpp>

using namespace bench::mandelbrot;

namespace {

/// A row is expensive, and some cost a hundred times what others do: each is handed out by itself.
void on_omp(image& picture, unsigned workers) {
#pragma omp parallel for schedule(dynamic) num_threads(workers)
  for (std::size_t y = 0; y < picture.shape.height; ++y) draw_row(picture, y);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  image small({.width = 3, .height = 2});
  on_omp(small, me.workers());  // the team's threads are kept for the next
  measure(me, [&](image& picture) { on_omp(picture, me.workers()); });
  return me.exit_status();
}
