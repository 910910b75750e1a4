#pragma once
#include <filch/graph/countdowns.hpp>
#include <filch/graph/node_base.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace filch::inline v0_2::graph {

/// What finding the next node needs: from one step to the next, without a look at the nodes. So
/// that a processor can look ahead while a node is on its way from memory.
struct step {
  arrivals left;
  std::uint32_t needs = 0;         ///< How many arrivals make it ready.
  std::uint32_t first_target = 0;  ///< Its successors: `target_count` of `plan::targets`.
  std::uint32_t target_count : 30 = 0;
  std::uint32_t is_special : 1 = 0;     ///< It has limits, or belongs to a thread or another pool.
  std::uint32_t may_end_later : 1 = 0;  ///< `run` may return `progress::later`.
  progress (*run)(node_base&, loop&) = nullptr;
  node_base* node = nullptr;
  core* home = nullptr;
};

/// What only graphs with branches need of a node. Its predecessors are in `plan::sources`, from
/// here to those of the next node; its ways back, if it is a branch, are `choices` of
/// `plan::choices`.
struct ways {
  std::uint32_t first_source;
  std::uint32_t first_choice;
  std::uint32_t choices;
};

/// A way of a branch back to a node before it.
struct choice {
  std::uint32_t target;
  std::uint32_t value;    ///< Taken if its function returns this.
  std::uint32_t repeats;  ///< The nodes that run again.
};

/// A predecessor, and what it is needed for.
struct source {
  std::uint32_t index;
  std::uint32_t choice;
  dependency kind;
};

/// A graph in the form in which it runs: arrays in topological order.
/// Source: Kahn, "Topological sorting of large networks", CACM 1962.
class plan {
 public:
  /// `nodes` by number.
  /// Cost: O(nodes + edges), and for each loop once more its nodes and edges.
  /// Throws: `std::logic_error` that names the nodes of a cycle, of a loop that cannot be repeated,
  /// or that need the same result as their own; `std::bad_alloc`.
  void make(const std::vector<node_base*>& nodes, const std::vector<link>& links);

  std::uint32_t size = 0;
  std::unique_ptr<step[]> steps;  ///< By index: in topological order.
  std::vector<std::uint32_t> targets;
  std::vector<ways> ways_of;  ///< By index, if `has_branches`.
  std::vector<choice> choices;
  std::vector<source> sources;
  std::vector<std::uint32_t> roots;  ///< Nodes that need nothing.
  bool has_branches = false;

 private:
  class maker;
};

/// The name of a node for people: the one given to it, or that of its function.
std::string name_of(const node_base& node);

}  // namespace filch::graph
