#include <bench/bfs/entry.hpp>

using namespace bench::bfs;

namespace {

/// Vertices a chunk, as in the GAP benchmark suite.
constexpr std::size_t chunk = 64;

std::vector<std::uint32_t> on_omp(const graph& g, vertex source, unsigned workers) {
  return by_levels(g, source, [workers](std::size_t count, const auto& body) {
#pragma omp parallel for schedule(dynamic) num_threads(workers)
    for (std::size_t first = 0; first < count; first += chunk)
      body(first, std::min(first + chunk, count));
  });
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  // The team's threads are kept for the next
  on_omp(bench::rmat::make({.scale = 4}), 0, me.workers());
  measure(me, [&](const graph& g, vertex source) { return on_omp(g, source, me.workers()); });
  return me.exit_status();
}
