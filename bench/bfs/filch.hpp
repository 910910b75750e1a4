#pragma once
#include <bench/bfs/problem.hpp>
#include <filch/algo.hpp>
#include <filch/filch.hpp>

#include <ranges>

namespace bench::bfs {

inline std::vector<std::uint32_t> on_filch(const graph& g, vertex source) {
  return by_levels(g, source, [](std::size_t count, const auto& body) {
    filch::for_each_chunk(std::views::iota(std::size_t{0}, count),
                          [&](const auto& piece) { body(*piece.begin(), *piece.begin() + piece.size()); });
  });
}

}  // namespace bench::bfs
