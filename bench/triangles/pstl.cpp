#include <bench/harness/tbb_threads.hpp>
#include <bench/triangles/entry.hpp>

#include <execution>
#include <functional>
#include <numeric>

using namespace bench::triangles;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("pstl"));
  bench::tbb_threads threads(me.workers());
  std::vector<vertex> all;  // its algorithms run in parallel over iterators of C++17 only, which those of views are not
  measure(me, [&](const graph& g) {
    all.resize(g.size());
    std::iota(all.begin(), all.end(), vertex{0});
    return threads.run([&] {
      return std::transform_reduce(std::execution::par, all.begin(), all.end(), std::uint64_t{0}, std::plus<>{},
                                   [&](vertex v) { return triangles_at(g, v); });
    });
  });
  return me.exit_status();
}
