#pragma once
#include <filch/event/node_outcome.hpp>

#include <cstdint>

namespace filch::inline v0_2::graph {

/// What became of a node in the last run, with when and where.
struct node_result {
  std::uint64_t ticks = 0;  ///< From the end of what its thread did before to its own end.
  std::uint32_t worker = ~0u;
  node_outcome outcome = node_outcome::none;
};

}  // namespace filch::graph
