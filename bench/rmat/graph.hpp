#pragma once
// Random graphs whose degrees follow a power law, with the parameters of Graph500. Input of the
// problems bfs and triangles; graph.rs makes the same.
// Source: Chakrabarti, Zhan and Faloutsos, SDM 2004 (R-MAT); Graph500's specification for the
// probabilities and the edges a vertex.
#include <filch/base/rng.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bench::rmat {

using vertex = std::uint32_t;

struct edge {
  vertex from, to;
};

struct parameters {
  unsigned scale = 16;  ///< There are 2^scale vertices.
  std::uint64_t seed = 1;
};

inline constexpr unsigned largest_scale = 26;
inline constexpr std::size_t edges_per_vertex = 16;

/// Bounds, of a hundred, between the quarters of the matrix: .57, .19, .19, .05.
inline constexpr std::uint64_t below_a = 57, below_b = 76, below_c = 95;

/// Another number for each vertex, so that a number says nothing of the degree. One to one: each
/// step can be undone.
constexpr vertex scrambled(vertex v, unsigned scale) noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << scale) - 1;
  std::uint64_t x = (v * 0x9e3779b1ULL + 0x7ed55d16) & mask;
  x ^= x >> (scale / 2 + 1);
  return static_cast<vertex>(x * 0x85ebca6bULL & mask);
}

inline edge random_edge(filch::base::split_mix64& random, unsigned scale) noexcept {
  edge drawn{0, 0};
  for (unsigned bit = 0; bit < scale; ++bit) {
    const std::uint64_t quarter = random() % 100;
    drawn.from = drawn.from << 1 | (quarter >= below_b ? 1U : 0U);
    drawn.to =
        drawn.to << 1 | ((quarter >= below_a && quarter < below_b) || quarter >= below_c ? 1U : 0U);
  }
  return {scrambled(drawn.from, scale), scrambled(drawn.to, scale)};
}

/// The neighbors of each vertex, in order and each once; no vertex is its own.
class graph {
 public:
  graph(vertex vertices, std::span<const edge> edges) : first_(std::size_t{vertices} + 1) {
    for (const edge& each : edges) ++first_[each.from + 1];
    for (std::size_t v = 0; v < vertices; ++v) first_[v + 1] += first_[v];
    neighbours_.resize(edges.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const edge& each : edges) neighbours_[next[each.from]++] = each.to;
    drop_repeats();
  }

  vertex size() const noexcept { return static_cast<vertex>(first_.size() - 1); }
  std::size_t edge_count() const noexcept { return neighbours_.size(); }
  std::span<const vertex> neighbours(vertex v) const noexcept {
    return {neighbours_.data() + first_[v], first_[v + 1] - first_[v]};
  }

 private:
  void drop_repeats() {
    std::size_t kept = 0, begin = 0;
    for (vertex v = 0; v < size(); ++v) {
      const auto from = neighbours_.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto to = neighbours_.begin() + static_cast<std::ptrdiff_t>(first_[v + 1]);
      begin = first_[v + 1];
      std::sort(from, to);
      first_[v] = kept;
      for (auto each = from; each != to; ++each) {
        if (*each != v && (kept == first_[v] || neighbours_[kept - 1] != *each))
          neighbours_[kept++] = *each;
      }
    }
    first_.back() = kept;
    neighbours_.resize(kept);
  }

  std::vector<std::size_t> first_;  ///< Where a vertex's neighbors begin; one more for the end.
  std::vector<vertex> neighbours_;
};

/// Each edge in both directions. Cost: O(2^scale (edges_per_vertex scale + log)), one thread.
inline graph make(const parameters& p) {
  const vertex vertices = vertex{1} << p.scale;
  filch::base::split_mix64 random{p.seed};
  std::vector<edge> edges;
  edges.reserve(2 * edges_per_vertex * vertices);
  for (std::size_t i = 0; i < edges_per_vertex * vertices; ++i) {
    const edge drawn = random_edge(random, p.scale);
    edges.push_back(drawn);
    edges.push_back({drawn.to, drawn.from});
  }
  return {vertices, edges};
}

}  // namespace bench::rmat
