#pragma once
#include <filch/event/node_outcome.hpp>

#include <cstdint>

namespace filch::inline v0_2 {

/// Which of several ready nodes runs first. For `task_graph::set`.
/// Example: examples/graph_parts.cpp
enum class graph_order : unsigned char {
  /// The one with the longest way to the end, by what nodes took in earlier runs. A graph of nodes
  /// that take less than a microsecond or so, and any graph in its first run, has no such order.
  critical_path,
  /// As they come: on each worker the youngest first, and thieves take the oldest.
  arrival,
};

namespace graph {

/// What became of a node, with when and where.
struct node_result {
  std::uint64_t ticks = 0;  ///< From the end of what its thread did before to its own end.
  std::uint32_t worker = ~0u;
  node_outcome outcome = node_outcome::none;
};

}  // namespace graph
}  // namespace filch
