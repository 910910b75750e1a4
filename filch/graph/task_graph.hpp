#pragma once
#include <filch/graph/graph_node.hpp>

#include <concepts>
#include <string_view>
#include <tuple>
#include <utility>

namespace filch::inline v0_2 {

struct graph_report;

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
