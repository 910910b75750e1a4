#pragma once
#include <filch/event/recording.hpp>

#include <string>
#include <vector>

namespace filch::cli {

/// What the report says of the task graph whose run took longest.
struct graph_texts {
  std::string whole;  ///< Its name, times and runs, and how many other graphs there are.
  std::string path;   ///< The critical path: names and times.
  /// The span with one node twice as fast: the five nodes that shorten it most.
  std::string what_if;
};
/// `from` has a task graph.
graph_texts texts_of_graphs(const event::recording& from);

}  // namespace filch::cli
