#pragma once
// A run of a task graph: plain data. `graph` makes it, and `trace` keeps it in recordings.
#include <filch/event/analysis_fields.hpp>
#include <filch/event/node_outcome.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::event {

/// A node in one run. Times in nanoseconds.
struct graph_run_node {
  static constexpr std::uint64_t no_worker = ~std::uint64_t{0};

  std::string name;
  node_outcome outcome = node_outcome::none;
  std::uint64_t worker = no_worker;  ///< `worker_index()` of the one that ended it.
  std::uint64_t ns = 0;
  /// By how much longer it could have taken before the critical path had.
  std::uint64_t slack_ns = 0;
  /// What the critical path would take if this node took half its time.
  std::uint64_t span_if_twice_as_fast_ns = 0;
  std::vector<std::uint32_t> successors;  ///< In `graph_run::nodes`, behind the node itself.
};

/// The longest run of a graph in a recording.
struct graph_run {
  std::string name;            ///< As by `task_graph::set_name`; may be empty.
  std::uint64_t begin_ns = 0;  ///< Since the recording began.
  std::uint64_t wall_ns = 0;   ///< From the call of `run` to the end of the last node.
  std::uint64_t work_ns = 0;   ///< Of all nodes.
  std::uint64_t span_ns = 0;   ///< Of the critical path: no number of workers is faster.
  std::uint64_t runs = 0;      ///< In the recording, of this graph or of graphs with its name.
  std::uint64_t node_count = 0;
  /// Each after its predecessors. Of a graph with more than `most_graph_nodes` those with the
  /// least slack, so all or the first ones of the critical path.
  std::vector<graph_run_node> nodes;
};

/// A recording has no more of them.
inline constexpr std::size_t most_graphs = 16, most_graph_nodes = 2000, most_graph_edges = 20'000;

inline constexpr std::array<field<graph_run, std::uint64_t>, 6> graph_fields{{
    {"begin_ns", &graph_run::begin_ns},
    {"wall_ns", &graph_run::wall_ns},
    {"work_ns", &graph_run::work_ns},
    {"span_ns", &graph_run::span_ns},
    {"runs", &graph_run::runs},
    {"node_count", &graph_run::node_count},
}};
inline constexpr std::array<field<graph_run_node, std::uint64_t>, 4> graph_node_fields{{
    {"worker", &graph_run_node::worker},
    {"ns", &graph_run_node::ns},
    {"slack_ns", &graph_run_node::slack_ns},
    {"span_if_twice_as_fast_ns", &graph_run_node::span_if_twice_as_fast_ns},
}};

/// Whether it can be walked and summed: every successor is a later node, there are no more of
/// anything than the limits above, and no time is too great. For graphs from outside.
bool is_sound(const graph_run& of) noexcept;
/// The nodes of the longest way, in order. Cost: O(nodes + edges). `of` is sound.
std::vector<std::uint32_t> critical_path(const graph_run& of);

}  // namespace filch::event
