#pragma once
// Counts the triangles of a random graph: a loop whose iterations cost as much as the degrees of a
// vertex and of its neighbors, which are very unequal.
// Source: the forward algorithm, Schank and Wagner, WEA 2005: each edge leads to the end of greater
// degree, and what two ends share is a triangle.
#include <bench/rmat/graph.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace bench::triangles {

using rmat::graph, rmat::vertex;

/// Each edge once, from the end with fewer neighbors to the other, and vertices numbered in that
/// order.
inline graph oriented(const graph& g) {
  std::vector<vertex> by_degree(g.size()), place(g.size());
  for (vertex v = 0; v < g.size(); ++v) by_degree[v] = v;
  std::ranges::sort(by_degree, {}, [&](vertex v) { return std::tuple(g.neighbours(v).size(), v); });
  for (vertex i = 0; i < g.size(); ++i) place[by_degree[i]] = i;
  std::vector<rmat::edge> edges;
  for (vertex v = 0; v < g.size(); ++v) {
    for (const vertex to : g.neighbours(v)) {
      if (place[v] < place[to]) edges.push_back({place[v], place[to]});
    }
  }
  return {g.size(), edges};
}

/// How many vertices stand in both of two ordered lists.
inline std::uint64_t common(std::span<const vertex> a, std::span<const vertex> b) noexcept {
  std::uint64_t count = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const vertex left = a[i], right = b[j];
    count += left == right ? 1 : 0;
    i += left <= right ? 1 : 0;
    j += right <= left ? 1 : 0;
  }
  return count;
}

/// Triangles of which `v` is the end with the fewest neighbors.
inline std::uint64_t triangles_at(const graph& g, vertex v) noexcept {
  std::uint64_t count = 0;
  for (const vertex to : g.neighbours(v)) count += common(g.neighbours(v), g.neighbours(to));
  return count;
}

inline std::uint64_t serial(const graph& g) noexcept {
  std::uint64_t count = 0;
  for (vertex v = 0; v < g.size(); ++v) count += triangles_at(g, v);
  return count;
}

/// The same number by marks instead of merges: those of one vertex's neighbors that are neighbors
/// of another. Cost: as `serial`.
inline std::uint64_t by_marks(const graph& g) {
  std::vector<vertex> marked_by(g.size(), g.size());
  std::uint64_t count = 0;
  for (vertex v = 0; v < g.size(); ++v) {
    for (const vertex to : g.neighbours(v)) marked_by[to] = v;
    for (const vertex to : g.neighbours(v)) {
      for (const vertex third : g.neighbours(to)) count += marked_by[third] == v ? 1 : 0;
    }
  }
  return count;
}

/// Says what is wrong with `count`; empty when nothing.
inline std::string check(std::uint64_t expected, std::uint64_t count) {
  if (count == expected) return {};
  return "there are " + std::to_string(expected) + " triangles, not " + std::to_string(count);
}

}  // namespace bench::triangles
