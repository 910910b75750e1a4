#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2 {

/// What became of a node in the last run of its graph.
enum class node_outcome : unsigned char {
  none,       ///< The graph has not run.
  ran,        ///< Its function returned.
  failed,     ///< Its function threw.
  skipped,    ///< A branch chose another way, or what it needs was skipped.
  cancelled,  ///< It had not begun when another node failed, or a stop was requested.
};

namespace graph {

/// The same, with when and where.
struct node_result {
  std::uint64_t ticks = 0;  ///< From the end of what its thread did before to its own end.
  std::uint32_t worker = ~0u;
  node_outcome outcome = node_outcome::none;
};

}  // namespace graph
}  // namespace filch
