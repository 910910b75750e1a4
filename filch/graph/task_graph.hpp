#pragma once
#include <filch/base/steady_time.hpp>
#include <filch/graph/body.hpp>
#include <filch/graph/limit.hpp>
#include <filch/graph/thread_queue.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace filch::inline v0_2 {

struct graph_report;

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

/// What `task_graph` and `subgraph` have in common: they add nodes. A function that builds a part
/// of a graph takes a `graph_builder&`.
/// Blocks: never.
/// Threads: one at a time.
/// Example: examples/graph_parts.cpp
class graph_builder {
 public:
  /// Adds a node that calls `f` with the results of the nodes `inputs`, after they have run.
  ///
  /// A result is passed by const reference. If this node is its only reader, it is moved: `f` may
  /// take it by value. An input that returns nothing only comes before. `f` may return a `task`;
  /// then the node ends with the task, and no worker waits for it. If `f` takes a `subgraph&` as
  /// its first argument, it can add nodes to that. They run when `f` has returned, and the node
  /// ends with them.
  /// Cost:   an allocation for many nodes. In each run some 20 to 40 ns.
  /// Throws: `std::logic_error` while the graph runs, or for an input of another graph;
  ///         `std::bad_alloc`; what the copy or move of `f` throws.
  /// Lifetime: `f` lives in the graph. What it refers to outlives the graph, or `clear`.
  template <class F, class... Inputs>
  requires(
      !std::convertible_to<F, std::string_view> &&
      !std::derived_from<std::decay_t<F>, graph_builder>) auto emplace(F&& f,
                                                                       const Inputs&... inputs) {
    return emplace(std::string_view{}, std::forward<F>(f), inputs...);
  }
  /// The same with a name for reports and errors, which is copied.
  template <class F, class... Inputs>
  auto emplace(std::string_view name, F&& f, const Inputs&... inputs) {
    return add(name, std::forward<F>(f), input_of(inputs)...);
  }
  /// Adds a node that runs another graph, `other`, which must not run elsewhere meanwhile. What
  /// `other` throws, the node throws. Throws: as the other `emplace`.
  /// Lifetime: `other` outlives this graph.
  graph_node<> emplace(task_graph& other) { return emplace(std::string_view{}, other); }
  graph_node<> emplace(std::string_view name, task_graph& other);

  /// Adds a node that calls `f` as `emplace` does. `f` returns which of the successors given to
  /// `graph_branch::choose` runs: an integer, a bool or an enumerator. Throws: as `emplace`.
  template <class F, class... Inputs>
  graph_branch branch(std::string_view name, F&& f, const Inputs&... inputs) {
    return branch_on(name, std::forward<F>(f), input_of(inputs)...);
  }
  template <class F, class... Inputs>
  requires(!std::convertible_to<F, std::string_view>) graph_branch
      branch(F&& f, const Inputs&... inputs) {
    return branch_on(std::string_view{}, std::forward<F>(f), input_of(inputs)...);
  }
  /// Adds a node whose result is set before a run: `g.input<image>("frame")`. Throws: as `emplace`.
  template <class T>
  graph_input<T> input(std::string_view name) {
    return graph_input<T>{make<graph::input_node<T>>(name, std::tuple<>{})};
  }
  /// The number of nodes, without those of subgraphs and other graphs.
  std::size_t size() const noexcept { return graph::access::size(*core_); }

 protected:
  explicit graph_builder(graph::core& of) noexcept : core_{&of} {}
  graph_builder(const graph_builder&) noexcept = default;
  graph_builder& operator=(const graph_builder&) noexcept = default;
  ~graph_builder() = default;
  graph::core* core_;

 private:
  template <class T>
  static graph::input<T> input_of(const graph_node<T>& from) noexcept {
    return {from.node_};
  }
  template <class T>
  static graph::optional_input<T> input_of(const graph::optional_input<T>& from) noexcept {
    return from;
  }

  template <class F, class... Inputs>
  auto add(std::string_view name, F&& f, Inputs... inputs) {
    using function = std::decay_t<F>;
    using results = typename graph::with_results<Inputs...>::type;
    if constexpr (graph::is_callable<function, std::tuple<>, results>) {
      return add_as<graph::function_node<graph::body<function, std::tuple<>, results>>>(
          name, std::forward<F>(f), inputs...);
    } else if constexpr (graph::is_callable<function, std::tuple<subgraph&>, results>) {
      return add_as<graph::subgraph_node<graph::body<function, std::tuple<subgraph&>, results>>>(
          name, std::forward<F>(f), inputs...);
    } else {
      check_function<function, results>();
    }
  }
  template <class Node, class F, class... Inputs>
  auto add_as(std::string_view name, F&& f, Inputs... inputs) {
    using result = typename Node::result;
    return graph_node<result>{
        make<Node>(name, std::tuple{inputs...}, std::forward<F>(f), graph::results_in(inputs...))};
  }
  template <class F, class... Inputs>
  graph_branch branch_on(std::string_view name, F&& f, Inputs... inputs) {
    using function = std::decay_t<F>;
    using results = typename graph::with_results<Inputs...>::type;
    if constexpr (check_function<function, results>()) {
      using body = graph::body<function, std::tuple<>, results>;
      constexpr bool chooses =
          std::is_integral_v<typename body::result> || std::is_enum_v<typename body::result>;
      static_assert(chooses,
                    "filch: the function of a branch returns which successor runs: an "
                    "integer, a bool or an enumerator");
      if constexpr (chooses) {
        return graph_branch{make<graph::branch_node<body>>(
            name, std::tuple{inputs...}, std::forward<F>(f), graph::results_in(inputs...))};
      }
    }
  }
  template <class F, class Results>
  static constexpr bool check_function() {
    constexpr bool fits = graph::is_callable<F, std::tuple<>, Results>;
    static_assert(fits,
                  "filch: the function of a node is called with the results of the nodes that are "
                  "its inputs, in their order: each as const T&, or as T if no other node reads "
                  "it. A subgraph& may come first.");
    return fits;
  }
  template <class Node, class... Inputs, class... Args>
  Node& make(std::string_view name, std::tuple<Inputs...> inputs, Args&&... args) {
    using graph::access;
    access::check_idle(*core_, "emplace()");
    std::apply([&](auto... each) { (access::check_home(*each.from, *core_), ...); }, inputs);
    const char* const text = name.empty() ? nullptr : access::copy(*core_, name);
    access::reserve(*core_, sizeof...(Inputs));
    graph::node_info& about = access::make_info(*core_, text);
    void* const memory = access::allocate(*core_, sizeof(Node), alignof(Node));
    Node& made = *::new (memory) Node(*core_, about, std::forward<Args>(args)...);
    access::add(*core_, made);
    std::apply([&](auto... each) { (access::connect(*each.from, made, each.kind), ...); }, inputs);
    return made;
  }
  template <class Body>
  friend class graph::subgraph_node;
};

/// What a node adds nodes to while it runs; see `graph_builder::emplace`. It is empty at each run.
/// Cost: its nodes are added and put in order in each run.
/// Threads: the node's.
/// Lifetime: until the function returns. Its nodes last until the node runs again.
/// Example: examples/graph_parts.cpp
class subgraph : public graph_builder {
  explicit subgraph(graph::core& of) noexcept : graph_builder{of} {}
  template <class Body>
  friend class graph::subgraph_node;
};

/// Work with dependencies: nodes that call functions, each after the nodes it depends on, in
/// parallel where nothing forbids it. Built once, run many times.
///
///     filch::task_graph g;
///     auto image = g.emplace("load", load);
///     auto small = g.emplace("shrink", shrink, image);  // is called with what `load` returned
///     g.emplace("store", store, small).succeed(image);
///     g.run();
///
/// A node that has ended is followed on its worker by one of the nodes that were waiting for it;
/// thieves take the others. So a chain costs no queue and no wake.
///
/// The first exception cancels the nodes that have not begun, and leaves `run`. Of several the one
/// of the node that was added first wins.
/// Cost:    the first run after a change sorts the nodes. Each further run costs some 20 to 40 ns a
///          node, and allocates nothing.
/// Threads: one at a time builds it or begins a run.
/// Lifetime: the destructor waits for the end of a run. A node must not destroy its graph.
/// Source:  the structure of Taskflow's graphs (Huang, Lin, Guo, Wong, "Cpp-Taskflow", IPDPS 2019).
///          We differ: results are arguments, skipped branches let others go on, and loops are
///          checked.
/// Example: examples/task_graph.cpp
class task_graph : public graph_builder {
 public:
  /// A graph without nodes, whose run returns at once. Throws: `std::bad_alloc`.
  task_graph() : task_graph{graph::owned_core{}} {}
  task_graph(task_graph&& other) noexcept : graph_builder{other}, owned_{std::move(other.owned_)} {}
  task_graph& operator=(task_graph&& other) noexcept {
    owned_ = std::move(other.owned_);
    std::swap(core_, other.core_);
    return *this;
  }

  /// Runs all nodes, and returns when they have ended.
  ///
  /// Nodes run on this thread and on the workers of its pool, or else of `default_pool()`.
  /// Blocks: until all have ended. This thread runs nodes of this graph, and nothing else; then it
  ///         gives its slot away and sleeps.
  /// Threads: any, also from a job or a node of another graph.
  /// Throws: what a node threw; `std::logic_error` for a circle of dependencies, a result that two
  ///         nodes take, or a graph that is running; `pool_stopped`; `std::bad_alloc`.
  void run() { graph::access::run(*core_, {}); }
  /// The same with options: `with(pool, stop_token)`, a `deadline` or a `time_limit`. A stop lets
  /// nodes that run go on, and cancels the others. It is looked for before each node.
  /// Throws: also `stopped`, after a stop: `thread_missing` if a node waited for its thread.
  void run(const algo::settings& how) { graph::access::run(*core_, how); }
  /// Runs it `times` times, one after the other. The first exception ends that. As `run()`.
  void run_n(std::size_t times) {
    for (; times != 0; --times) run();
  }
  /// Runs it until `is_done()`, which this thread calls after each run, returns true. As `run()`.
  template <class Predicate>
  requires std::predicate<Predicate&>
  void run_until(Predicate is_done) {
    do {
      run();
    } while (!is_done());
  }
  /// Runs it while the awaiting task is suspended: `co_await g.run_async()`. A stop request to the
  /// task cancels the run; the task goes on after its end.
  /// Blocks: never. Throws: as `run`, from the await.
  /// Lifetime: the graph outlives the task.
  task<> run_async(algo::settings how = {}) {
    return graph::access::run_async(*core_, std::move(how));
  }
  /// What the last run did, node by node, and its critical path. Include
  /// `<filch/graph/report.hpp>`.
  /// Cost: O(nodes + edges), and a string for each node.
  /// Throws: `std::logic_error` while it runs; `std::bad_alloc`.
  graph_report last_run();
  /// Which of several ready nodes runs first, from the next run on.
  /// Throws: `std::logic_error` while it runs.
  void set(graph_order how) { graph::access::set_order(*core_, how); }
  /// Names it in recordings, where graphs of one name count as one.
  /// Throws: `std::logic_error` while it runs; `std::bad_alloc`.
  void set_name(std::string_view name) { graph::access::set_name(*core_, name); }
  /// Removes all nodes; their handles are invalid then. Throws: `std::logic_error` while it runs.
  void clear() {
    graph::access::check_idle(*core_, "clear()");
    graph::access::clear(*core_);
  }

 private:
  explicit task_graph(graph::owned_core made) noexcept
      : graph_builder{*made}, owned_{std::move(made)} {}
  graph::owned_core owned_;
  friend graph_builder;
};

inline graph_node<> graph_builder::emplace(std::string_view name, task_graph& other) {
  return graph_node<>{make<graph::graph_as_node>(name, std::tuple<>{}, *other.core_)};
}

}  // namespace filch
