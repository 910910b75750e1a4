#include <bench/harness/gnu_sum.hpp>
#include <bench/harness/indices.hpp>
#include <bench/triangles/entry.hpp>

#include <omp.h>

using namespace bench::triangles;

int main(int argc, char** argv) {
  bench::contender me(argc, argv, as("gnu"));
  omp_set_num_threads(static_cast<int>(me.workers()));
  std::vector<vertex> all;
  std::vector<std::uint64_t> terms;
  measure(me, [&](const graph& g) {
    if (all.empty()) all = bench::indices(g.size());
    return bench::gnu_sum(all, terms, [&](vertex v) { return triangles_at(g, v); });
  });
  return me.exit_status();
}
