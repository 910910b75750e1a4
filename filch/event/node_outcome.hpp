#pragma once
#include <filch/base/language.hpp>

#include <array>
#include <string_view>

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

namespace event {
inline constexpr std::array<std::string_view, 5> outcome_names{"none", "ran", "failed", "skipped",
                                                               "cancelled"};
}  // namespace event

}  // namespace filch
