#pragma once
#include <filch/base/mutex.hpp>
#include <filch/graph/node_base.hpp>

namespace filch::inline v0_2 {

class graph_limit;

namespace graph {

/// That a node takes one of a limit while it runs.
struct limit_use {
  graph_limit* of;
  node_info* by;
  limit_use* next;    ///< Of the same node.
  limit_use* behind;  ///< In the queue of the limit.
};

/// Takes one of each limit of `by`, or none: then it waits in their queues. Returns whether it has
/// them.
bool take_limits(node_info& by) noexcept;
/// Gives them back. Returns the nodes that have what they waited for, linked by `next_ready`.
node_info* return_limits(node_info& by) noexcept;

}  // namespace graph

/// How many nodes may run at once: of a graph, or of several. `filch::graph_limit gpu{2}`, and
/// `node.limited_by(gpu)`.
///
/// A node that finds none free leaves its worker and waits in the limit's queue, first come, first
/// served; no thread waits. A node of several limits takes all of them at once or none, so that two
/// such nodes never wait for each other.
/// Cost: a lock of all limits, some 20 ns, when such a node begins and when it ends.
/// Blocks: never.
/// Threads: any.
/// Lifetime: outlives the graphs whose nodes use it.
/// Example: examples/how_graphs.cpp
class FILCH_EXPORT graph_limit {
 public:
  /// `most` nodes at once. Throws: `std::invalid_argument` for 0.
  explicit graph_limit(unsigned most);
  graph_limit(const graph_limit&) = delete;
  graph_limit& operator=(const graph_limit&) = delete;

  unsigned most() const noexcept { return most_; }
  /// How many nodes run now that use it. Cost: the lock.
  unsigned in_use() const noexcept;

 private:
  unsigned most_;
  unsigned free_;
  graph::limit_use* first_ = nullptr;
  graph::limit_use* last_ = nullptr;
  friend bool graph::take_limits(graph::node_info& by) noexcept;
  friend graph::node_info* graph::return_limits(graph::node_info& by) noexcept;
  friend struct limit_queues;
};

}  // namespace filch
