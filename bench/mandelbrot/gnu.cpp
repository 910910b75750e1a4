#include <bench/harness/indices.hpp>
#include <bench/mandelbrot/entry.hpp>

#include <omp.h>
#include <parallel/algorithm>

using namespace bench::mandelbrot;

namespace {

/// By itself it takes a hundred elements for too few to hand out, and a thousand for too few to
/// start threads for: a row is expensive.
void make_elements_count() {
  __gnu_parallel::_Settings settings = __gnu_parallel::_Settings::get();
  settings.for_each_minimal_n = 2;
  settings.workstealing_chunk_size = 1;
  __gnu_parallel::_Settings::set(settings);
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  make_elements_count();
  const auto rows = bench::indices(me.size<std::size_t>());
  measure(me, [&](image& picture) {
    __gnu_parallel::for_each(rows.begin(), rows.end(),
                             [&](std::size_t y) { draw_row(picture, y); });
  });
  return me.exit_status();
}
