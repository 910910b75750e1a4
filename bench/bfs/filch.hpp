#pragma once
#include <bench/bfs/problem.hpp>
#include <filch/algo.hpp>
#include <filch/filch.hpp>

namespace bench::bfs {

inline std::vector<std::uint32_t> on_filch(const graph& g, vertex source) {
  return by_levels(g, source, [](std::size_t count, const auto& body) {
    using chunk = filch::index_range<std::size_t>;
    filch::parallel_for(filch::blocked_range(chunk(0, count)),
                        [&](const chunk& part) { body(part.first(), part.last()); });
  });
}

}  // namespace bench::bfs
