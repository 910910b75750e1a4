#pragma once
#include <bench/triangles/problem.hpp>
#include <filch/filch.hpp>

#include <functional>

namespace bench::triangles {

inline std::uint64_t on_filch(const graph& g) {
  return filch::parallel_reduce(
      vertex{0}, g.size(), std::uint64_t{0}, [&](vertex v) { return triangles_at(g, v); },
      std::plus<>{});
}

}  // namespace bench::triangles
