#pragma once
#include <filch/base/mutex.hpp>
#include <filch/graph/outcome.hpp>
#include <filch/graph/plan.hpp>

#include <cstdint>
#include <vector>

namespace filch::inline v0_2::graph {

/// How long each node takes, and the order that follows from it.
/// Source: the upward rank of Topcuoglu, Hariri and Wu, "Performance-effective and low-complexity
/// task scheduling for heterogeneous computing" (HEFT), TPDS 2002. We differ: weights are measured,
/// and a worker goes on with the best node that it made ready itself.
class node_order {
 public:
  /// For a new plan: nothing is known.
  void begin(const plan& of);
  /// Takes over what the nodes took in a run. Cost: O(nodes + edges), but not at every run.
  void learn(plan& of, const node_result* results, unsigned workers);
  /// Whether ready nodes are to be taken from one list, the best first, in the next run.
  bool is_on() const noexcept {
    return (is_on_ && how_ == graph_order::critical_path) || has_priorities_;
  }
  void set(graph_order how) noexcept { how_ = how; }

  /// The list of ready nodes of a run. Threads: any.
  void push(std::uint32_t index) noexcept;
  std::uint32_t pop() noexcept;
  /// The better one of `index` and what is in the list, which keeps the other.
  std::uint32_t exchange(std::uint32_t index) noexcept;

 private:
  void rank(const plan& of);

  graph_order how_ = graph_order::critical_path;
  bool is_on_ = false;
  bool has_priorities_ = false;
  std::uint32_t runs_ = 0;
  std::vector<float> weights_;  ///< In ticks: an exponential mean.
  std::vector<std::uint64_t> ranks_;
  base::mutex lock_;
  std::vector<std::uint32_t> ready_ FILCH_GUARDED_BY(lock_);  ///< A heap by rank.
};

}  // namespace filch::graph
