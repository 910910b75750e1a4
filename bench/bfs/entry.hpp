#pragma once
#include <bench/bfs/problem.hpp>
#include <bench/harness/contender.hpp>

namespace bench::bfs {

inline constexpr identity as(const char* peer) {
  return {.problem = "bfs", .peer = peer, .size = 20};
}

/// Times `solve(graph, source)` on a graph of 2^`--size` vertices.
template <class Solve>
void measure(contender& me, Solve solve) {
  me.require(me.size() <= rmat::largest_scale,
             "--size is the binary logarithm of the number of vertices: at most " +
                 std::to_string(rmat::largest_scale));
  const graph g = rmat::make({.scale = me.size<unsigned>()});
  const vertex source = source_of(g);
  const std::vector<std::uint32_t> expected = serial(g, source);
  me.measure(
      &g, [&](const graph* given) { return solve(*given, source); },
      [&](const graph*, const std::vector<std::uint32_t>& distance) {
        return check(expected, distance);
      });
}

}  // namespace bench::bfs
