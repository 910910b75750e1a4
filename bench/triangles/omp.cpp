#include <bench/triangles/entry.hpp>

using namespace bench::triangles;

namespace {

/// The schedule is that of the GAP benchmark suite.
std::uint64_t on_omp(const graph& g, unsigned workers) {
  std::uint64_t count = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : count) num_threads(workers)
  for (vertex v = 0; v < g.size(); ++v) count += triangles_at(g, v);
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("omp"));
  // The team's threads are kept for the next
  on_omp(bench::rmat::make({.scale = 4}), me.workers());
  measure(me, [&](const graph& g) { return on_omp(g, me.workers()); });
  return me.exit_status();
}
