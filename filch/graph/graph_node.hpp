#pragma once
// Handles of nodes: what a program does with those that a graph has given it.
#include <filch/base/steady_time.hpp>
#include <filch/graph/body.hpp>
#include <filch/graph/limit.hpp>
#include <filch/graph/thread_queue.hpp>

#include <string>
#include <utility>

namespace filch::inline v0_2 {

/// A node of a `task_graph`: a handle to copy and to pass.
///
/// `T` is what its function returns, without reference, or what its task returns; void if nothing.
/// What changes a node returns the node, for the next call. It makes the next run plan anew.
/// Blocks: never.
/// Threads: as the graph's.
/// Lifetime: as long as the graph, until `clear`. A node of a `subgraph` lasts until the node that
/// made it runs again.
/// Example: examples/how_graphs.cpp
template <class T = void>
class graph_node {
 public:
  /// Means no node: only to be assigned to, and compared by `if (node)`.
  graph_node() noexcept = default;
  explicit operator bool() const noexcept { return node_ != nullptr; }
  /// Lets all of `later` run after this node. Passes no result.
  /// Cost: some nanoseconds for each edge.
  /// Throws: `std::logic_error` for nodes of two graphs, and while the graph runs;
  ///         `std::bad_alloc`.
  template <class... Later>
  const graph_node& precede(const graph_node<Later>&... later) const {
    (graph::access::connect_checked(*node_, *later.node_, graph::dependency::order), ...);
    return *this;
  }
  /// Lets this node run after all of `earlier`. Passes no result. Throws: as `precede`.
  template <class... Earlier>
  const graph_node& succeed(const graph_node<Earlier>&... earlier) const {
    (graph::access::connect_checked(*earlier.node_, *node_, graph::dependency::order), ...);
    return *this;
  }
  /// Lets it run on `thread`, the thread of a window or a database handle. Of a node with a task,
  /// only the call of its function runs there.
  /// Cost: in each run a lock, and a wake if the thread sleeps.
  /// Throws: as `precede`.
  /// Lifetime: `thread` outlives the graph.
  const graph_node& on(thread_queue& thread) const {
    graph::access::change(*node_->home, "on()");
    node_->info->on_thread = &thread;
    return *this;
  }
  /// Lets it run on a worker of `pool`, whatever pool the others run on. Throws: as `precede`.
  /// Lifetime: `pool` outlives the graph.
  const graph_node& on(thread_pool& pool) const {
    graph::access::change(*node_->home, "on()");
    node_->info->on_pool = &pool.core();
    return *this;
  }
  /// Lets it take one of `limit` while it runs, or wait in its queue without a worker. Of several
  /// limits it takes all at once. The same one again changes nothing.
  /// Throws: as `precede`.
  /// Lifetime: `limit` outlives the graph.
  const graph_node& limited_by(graph_limit& limit) const {
    graph::access::limit(*node_, limit);
    return *this;
  }
  /// Among ready nodes of this graph, those of a higher priority begin first.
  /// Cost: a lock and some 50 ns for each node of the graph, if one has another than `normal`.
  /// Throws: as `precede`.
  const graph_node& at(priority urgency) const {
    graph::access::change(*node_->home, "at()");
    node_->info->urgency = urgency;
    return *this;
  }
  /// As an input of `emplace`: the function is called with a `const T*`, which is null if this node
  /// was skipped.
  graph::optional_input<T> optional() const noexcept { return {node_}; }

  /// What the function returned in the last run. Cost: a look.
  /// Threads: any, between runs; in a run, nodes that come after it.
  /// Throws: `std::logic_error` if there is no result: it was skipped, failed or cancelled, or its
  ///         only reader took it by value.
  /// Lifetime: the reference is valid until the next run.
  const auto& get() const {
    static_assert(!std::is_void_v<T>, "filch: the function of this node returns nothing");
    if (!node_->has_result) graph::access::throw_no_result(*node_);
    return node_->value();
  }
  /// What became of it in the last run. Call this and the next two between runs.
  node_outcome outcome() const noexcept { return graph::access::result_of(*node_).outcome; }
  /// How long it took in the last run, with what its worker needed to find it, some 20 ns. Of a
  /// coroutine or a subgraph, until its end.
  std::chrono::nanoseconds time() const noexcept {
    return std::chrono::nanoseconds{graph::access::ns_of(*node_)};
  }
  /// The worker that ended it in the last run, as by `worker_index()`, or `no_worker`.
  unsigned worker() const noexcept { return graph::access::result_of(*node_).worker; }
  /// The name given to it, or that of its function.
  std::string name() const { return graph::access::name_of(*node_); }

 private:
  explicit graph_node(graph::node_of<T>& of) noexcept : node_{&of} {}
  graph::node_of<T>* node_ = nullptr;
  template <class U>
  friend class graph_node;
  template <class U>
  friend class graph_input;
  friend class graph_branch;
  friend class graph_builder;
};

/// A node whose result the program sets before a run. It keeps the value for further runs.
/// Example: examples/how_graphs.cpp
template <class T>
class graph_input : public graph_node<T> {
 public:
  /// The value for the next runs. A run without one throws `std::logic_error`, which names it.
  /// Threads: as the graph's.
  /// Throws: `std::logic_error` while the graph runs; what the move of a `T` throws.
  void set(T value) const {
    graph::access::check_idle(*this->node_->home, "set() of an input");
    this->node_->put([&]() -> T&& { return std::move(value); });
  }

 private:
  explicit graph_input(graph::node_of<T>& of) noexcept : graph_node<T>{of} {}
  friend class graph_builder;
};

/// A node whose function returns which of its successors runs: an integer, a bool or an enumerator.
/// Made by `graph_builder::branch`.
/// Cost: a graph with branches looks at the predecessors of each node before it runs.
/// Example: examples/how_graphs.cpp
class graph_branch : public graph_node<void> {
 public:
  /// If the function returns `value`, `then` runs, after all that precedes it. A node that a branch
  /// could have chosen, and none has, is skipped. So is a node that needs the result of a skipped
  /// one, or comes after skipped nodes only. Several nodes may have the same value.
  ///
  /// `then` may come before the branch: then the nodes from there to the branch run again. All
  /// nodes that depend on one of these must come before the branch, too, and none of them but
  /// `then` may wait for a node outside. Nodes that follow the branch wait for the last turn.
  /// Throws: as `precede`. For a loop that cannot be repeated, `task_graph::run` throws
  ///         `std::logic_error`.
  template <class Value, class T>
  const graph_branch& choose(Value value, const graph_node<T>& then) const {
    graph::access::connect_checked(*node_, *then.node_, graph::dependency::choice,
                                   static_cast<std::uint32_t>(value));
    return *this;
  }

 private:
  explicit graph_branch(graph::node_of<void>& of) noexcept : graph_node<void>{of} {}
  friend class graph_builder;
};

}  // namespace filch
