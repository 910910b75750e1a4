#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2 {

/// What became of a node in the last run of its graph. By `graph_node::outcome`.
/// Example: examples/graph_parts.cpp
enum class node_outcome : unsigned char {
  none,       ///< The graph has not run.
  ran,        ///< Its function returned.
  failed,     ///< Its function threw.
  skipped,    ///< A branch chose another way, or what it needs was skipped.
  cancelled,  ///< It had not begun when another node failed, or a stop was requested.
};

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
