#pragma once
// A graph behind its handles: its nodes, the plan by which they run, and the state of a run.
#include <filch/algo/settings.hpp>
#include <filch/base/float_mode.hpp>
#include <filch/base/mutex.hpp>
#include <filch/co/sync/async_event.hpp>
#include <filch/co/task.hpp>
#include <filch/graph/arena.hpp>
#include <filch/graph/countdowns.hpp>
#include <filch/graph/node_base.hpp>
#include <filch/graph/order.hpp>
#include <filch/graph/outcome.hpp>
#include <filch/graph/plan.hpp>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace filch::inline v0_2::graph {

/// The nodes of one graph.
/// Threads: functions that change it, one at a time, and not while it runs.
class core {
 public:
  core() noexcept { idle_.set(); }
  core(const core&) = delete;
  core& operator=(const core&) = delete;
  /// Waits for the end of a run.
  ~core();

  // -----------------------------------------------------------------------------------------------
  // building
  /// Memory for a node.
  void* allocate(std::size_t bytes, std::size_t alignment) {
    return nodes_memory_.allocate(bytes, alignment);
  }
  /// Memory for what a run seldom needs. Apart, so that nodes lie close to each other.
  void* allocate_apart(std::size_t bytes, std::size_t alignment) {
    return other_memory_.allocate(bytes, alignment);
  }
  void add(node_base& made) noexcept;
  /// Makes room for one node and so many edges. The next two need it.
  void reserve(std::size_t edges);
  void connect(node_info& from, link made) noexcept;
  /// Throws: `std::logic_error` if it runs; `what` would change it.
  void check_idle(const char* what);
  /// A node has changed.
  void plan_again() noexcept { is_planned_ = false; }
  /// Removes all nodes.
  void clear() noexcept;
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }

  // -----------------------------------------------------------------------------------------------
  // running
  /// On this thread and the workers of the pool in `how`.
  void run(const algo::settings& how);
  task<> run_async(algo::settings how);
  /// Runs it as a part of the node of `outer`, which ends with it. `on` runs that node.
  void run_inside(loop& on, node_base& outer);
  /// Where the task of `node` runs.
  sched::scheduler& pool_of(const node_base& node) const noexcept {
    return node.info->on_pool != nullptr ? *node.info->on_pool : *pool_;
  }
  /// A node whose function returned `progress::later` has ended, with `thrown` if that is not null.
  /// Threads: any.
  void end_later(node_base& node, std::exception_ptr thrown) noexcept;
  /// Whether `job`, in the queue of a thread, belongs to the run of this graph.
  bool is_asked_by(const sched::detached_job& job) const noexcept;

  // -----------------------------------------------------------------------------------------------
  // the last run
  node_result result_of(const node_base& node) const noexcept {
    return is_planned_ ? results_[node.index] : node_result{};
  }
  /// How long a node took, in nanoseconds.
  std::uint64_t ns_of(const node_base& node) const noexcept;
  const plan& planned() const noexcept { return plan_; }
  bool has_run() const noexcept { return is_planned_ && ran_ticks_ != 0; }
  std::uint64_t ran_ns() const noexcept { return ran_ns_; }
  void set(graph_order how) noexcept { order_.set(how); }
  /// For recordings. Throws: `std::bad_alloc`.
  void set_name(std::string_view name) { name_ = name; }

 private:
  friend loop;

  void prepare();
  void begin(sched::scheduler& in, const algo::stop_condition& stop, node_base* outer = nullptr);
  void start(loop& on) noexcept;
  void end(loop& on) noexcept;
  void wait() noexcept;
  void wait_until_idle() noexcept;
  task<> await_end();
  void serve(thread_queue& mine) noexcept;
  void wait_for_threads() noexcept;
  void cancel_waiting_for_threads() noexcept;
  void leave();
  void fail(const node_base& by, std::exception_ptr thrown) noexcept;
  void stop_with_the_pool(const node_base& discarded) noexcept;
  bool is_cancelled() noexcept {
    // Relaxed: when it takes effect is a matter of timing anyway
    return cancelled_.load(base::relaxed) || (may_stop_ && looks_for_stop());
  }
  bool looks_for_stop() noexcept;
  void record_run() noexcept;
  void request_stop() noexcept;
  node_outcome decide(const step& of) noexcept {
    if (is_cancelled()) [[unlikely]]
      return node_outcome::cancelled;
    return plan_.has_branches ? decide_by_sources(of) : node_outcome::ran;
  }
  node_outcome decide_by_sources(const step& of) const noexcept;
  const choice* chosen_loop(const step& of) const noexcept;

  arena nodes_memory_;
  arena other_memory_;
  std::vector<node_base*> nodes_;  ///< By number.
  std::vector<link> links_;
  bool is_planned_ = false;
  plan plan_;
  node_order order_;
  std::string name_;
  std::uint64_t number_ = 0;  ///< In recordings, if it has no name. 0: none has seen it.

  // the run
  std::unique_ptr<node_result[]> results_;
  unended left_;
  sched::scheduler* pool_ = nullptr;
  base::float_mode float_mode_{};
  algo::stop_condition stop_;
  bool may_stop_ = false;
  base::atomic<bool> cancelled_{false};
  base::atomic<bool> stopped_{false};
  bool is_ordered_ = false;          ///< Ready nodes are in `order_`, and each fork stands for one.
  thread_queue* serves_ = nullptr;   ///< Of the thread that waits for the run, if nodes need it.
  sched::detached_job end_message_;  ///< In `serves_`: the run has ended.
  node_base* outer_ = nullptr;       ///< The node that this run is a part of.
  std::uint64_t began_ns_ = 0, began_ticks_ = 0, ran_ns_ = 0, ran_ticks_ = 0;
  async_event ended_;  ///< All nodes have.
  /// No run; last touched at the end of one. The graph may be changed, or destroyed.
  async_event idle_;
  base::mutex lock_;
  std::exception_ptr error_ FILCH_GUARDED_BY(lock_);
  std::uint32_t error_number_ FILCH_GUARDED_BY(lock_) = 0;
};

}  // namespace filch::graph
