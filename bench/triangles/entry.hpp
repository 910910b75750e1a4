#pragma once
#include <bench/harness/contender.hpp>
#include <bench/triangles/problem.hpp>

namespace bench::triangles {

inline constexpr identity as(const char* peer) {
  return {.problem = "triangles", .peer = peer, .size = 17};
}

/// Times `solve(graph)` on the directed graph of 2^`--size` vertices.
template <class Solve>
void measure(contender& me, Solve solve) {
  me.require(me.size() <= rmat::largest_scale,
             "--size is the binary logarithm of the number of vertices: at most " +
                 std::to_string(rmat::largest_scale));
  const graph g = oriented(rmat::make({.scale = me.size<unsigned>()}));
  const std::uint64_t expected = by_marks(g);
  me.measure(
      &g, [&](const graph* given) { return solve(*given); },
      [&](const graph*, std::uint64_t count) { return check(expected, count); });
}

}  // namespace bench::triangles
