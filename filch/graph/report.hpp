#pragma once
#include <filch/graph/task_graph.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace filch::inline v0_2 {

/// The last run of a graph, node by node, and its critical path. By `task_graph::last_run`. Without
/// a run it is empty.
/// Lifetime: it refers to nothing of the graph.
/// Example: examples/how_graphs.cpp
struct graph_report {
  struct node {
    std::string name;  ///< The name given to it, or that of its function.
    node_outcome outcome;
    std::chrono::nanoseconds time;  ///< As `graph_node::time`. Of a loop, its last turn.
    /// By how much longer it could have taken before the whole had, on as many workers as needed.
    std::chrono::nanoseconds slack;
    /// What the critical path would take if this node took half its time.
    std::chrono::nanoseconds span_if_twice_as_fast;
    unsigned worker;                        ///< As `worker_index()`, or `no_worker`.
    bool is_critical;                       ///< Part of the longest way: its slack is zero.
    std::vector<std::uint32_t> successors;  ///< In `nodes`.
  };

  std::chrono::nanoseconds wall{};  ///< From the call of `run` to the end of the last node.
  std::chrono::nanoseconds work{};  ///< Of all nodes.
  std::chrono::nanoseconds span{};  ///< Of the critical path: no number of workers is faster.
  std::vector<node> nodes;          ///< Each after its predecessors.

  /// For Graphviz: times, and the critical path in red. Throws: `std::bad_alloc`, as `json`.
  std::string dot() const;
  /// The same as a JSON object; times in nanoseconds.
  std::string json() const;
};

namespace graph {

/// A node as `access::report` tells of it. The name is gone when the call returns.
struct told_node {
  const char* name;
  node_result result;
  std::uint64_t ns, slack_ns, span_if_twice_as_fast_ns;
  const std::uint32_t* successors;
  std::uint32_t successor_count;
};

struct told_run {
  std::uint64_t wall_ns, work_ns, span_ns;
};

FILCH_EXPORT told_run report(core& of, void (*see)(const told_node&, void*), void* context);
/// Calls `write` with pieces of the text.
FILCH_EXPORT void escape(const std::string& text, void (*write)(char, void*), void* context);

inline std::string quoted(const std::string& text) {
  std::string all = "\"";
  escape(
      text, [](char next, void* to) { static_cast<std::string*>(to)->push_back(next); }, &all);
  return all + '"';
}

}  // namespace graph

inline graph_report task_graph::last_run() {
  graph_report all;
  const graph::told_run run = graph::report(
      *core_,
      [](const graph::told_node& told, void* to) {
        using std::chrono::nanoseconds;
        static_cast<graph_report*>(to)->nodes.push_back(
            {told.name,
             told.result.outcome,
             nanoseconds(told.ns),
             nanoseconds(told.slack_ns),
             nanoseconds(told.span_if_twice_as_fast_ns),
             told.result.worker,
             told.slack_ns == 0,
             {told.successors, told.successors + told.successor_count}});
      },
      &all);
  all.wall = std::chrono::nanoseconds(run.wall_ns);
  all.work = std::chrono::nanoseconds(run.work_ns);
  all.span = std::chrono::nanoseconds(run.span_ns);
  return all;
}

inline std::string graph_report::dot() const {
  std::string text = "digraph filch {\n  node [shape=box, fontname=sans];\n";
  for (std::size_t i = 0; i != nodes.size(); ++i) {
    const node& one = nodes[i];
    const std::string label = one.name + '\n' + std::to_string(one.time.count() / 1000) + " us";
    text += "  " + std::to_string(i) + " [label=" + graph::quoted(label) +
            (one.is_critical ? ", color=red, penwidth=2" : "") + "];\n";
    for (const std::uint32_t next : one.successors)
      text += "  " + std::to_string(i) + " -> " + std::to_string(next) +
              (one.is_critical && nodes[next].is_critical ? " [color=red, penwidth=2];\n" : ";\n");
  }
  return text + "}\n";
}

inline std::string graph_report::json() const {
  const auto number = [](auto time) { return std::to_string(time.count()); };
  std::string text = "{\"wall_ns\":" + number(wall) + ",\"work_ns\":" + number(work) +
                     ",\"span_ns\":" + number(span) + ",\"nodes\":[";
  for (std::size_t i = 0; i != nodes.size(); ++i) {
    const node& one = nodes[i];
    text += i == 0 ? "\n" : ",\n";
    text += "{\"name\":" + graph::quoted(one.name) + ",\"outcome\":\"" +
            std::string(event::outcome_names[static_cast<unsigned>(one.outcome)]) +
            "\",\"ns\":" + number(one.time) + ",\"slack_ns\":" + number(one.slack) +
            ",\"span_if_twice_as_fast_ns\":" + number(one.span_if_twice_as_fast) + ",\"worker\":" +
            (one.worker == no_worker ? std::string("null") : std::to_string(one.worker)) +
            ",\"successors\":[";
    for (std::size_t s = 0; s != one.successors.size(); ++s)
      text += (s == 0 ? "" : ",") + std::to_string(one.successors[s]);
    text += "]}";
  }
  return text + "]}\n";
}

}  // namespace filch
