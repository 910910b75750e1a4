#include <bench/harness/tbb_threads.hpp>
#include <bench/triangles/entry.hpp>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <functional>

using namespace bench::triangles;

namespace {

std::uint64_t on_tbb(const graph& g) {
  using range = oneapi::tbb::blocked_range<vertex>;
  return oneapi::tbb::parallel_reduce(
      range(0, g.size()), std::uint64_t{0},
      [&](const range& chunk, std::uint64_t count) {
        for (vertex v = chunk.begin(); v != chunk.end(); ++v) count += triangles_at(g, v);
        return count;
      },
      std::plus<>{});
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("tbb"));
  bench::tbb_threads threads(me.workers());
  measure(me, [&](const graph& g) { return threads.run([&] { return on_tbb(g); }); });
  return me.exit_status();
}
