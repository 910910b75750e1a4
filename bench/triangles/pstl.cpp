#include <bench/harness/indices.hpp>
#include <bench/harness/tbb_threads.hpp>
#include <bench/triangles/entry.hpp>

#include <execution>
#include <functional>
#include <numeric>

using namespace bench::triangles;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("pstl"));
  bench::tbb_threads threads(me.workers());
  std::vector<vertex> all;
  measure(me, [&](const graph& g) {
    if (all.empty()) all = bench::indices(g.size());
    return threads.run([&] {
      return std::transform_reduce(std::execution::par, all.begin(), all.end(), std::uint64_t{0},
                                   std::plus<>{}, [&](vertex v) { return triangles_at(g, v); });
    });
  });
  return me.exit_status();
}
