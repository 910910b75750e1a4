#pragma once
// What a graph would take on more workers than there are: list scheduling, with no cost for any
// step of the scheduler. The order by critical path is the one that runs: `node_order` of
// filch/graph. The order of arrival is that of `loop`: a worker goes on with the last node that it
// made ready, then with the youngest of those it put aside, then with the oldest of another one.
#include <bench/graph_order/problem.hpp>
#include <filch/base/clock.hpp>
#include <filch/graph/access.hpp>
#include <filch/graph/order.hpp>

#include <deque>
#include <memory>
#include <queue>

namespace bench::graph_order {

/// A graph as filch plans it, without functions.
class planned {
 public:
  explicit planned(const dag& of) : us_{of.us} {
    std::vector<filch::graph::node_base*> nodes;
    std::vector<filch::graph::link> links;
    for (std::uint32_t i = 0; i != of.us.size(); ++i) {
      infos_.emplace_back().number = i;
      nodes.push_back(&nodes_.emplace_back(no_function, *home_, infos_[i]));
      for (const std::uint32_t* each = of.of.begin(i); each != of.of.end(i); ++each)
        links.push_back({*each, i, 0, filch::graph::dependency::order});
    }
    plan_.make(nodes, links);
  }

  filch::graph::plan& plan() noexcept { return plan_; }
  double us(std::uint32_t index) const noexcept {
    return us_[plan_.steps[index].node->info->number];
  }
  /// A run in which each node took what it takes.
  std::unique_ptr<filch::graph::node_result[]> results() const {
    auto all = std::make_unique<filch::graph::node_result[]>(plan_.size);
    const auto ticks_a_us = static_cast<double>(filch::base::ticks_per_us());
    for (std::uint32_t i = 0; i != plan_.size; ++i)
      all[i] = {static_cast<std::uint64_t>(us(i) * ticks_a_us), 0, filch::node_outcome::ran};
    return all;
  }

 private:
  static constexpr filch::graph::node_operations no_function{nullptr, nullptr, false};

  const std::vector<double>& us_;
  filch::graph::owned_core home_;
  std::deque<filch::graph::node_info> infos_;
  std::deque<filch::graph::node_base> nodes_;
  filch::graph::plan plan_;
};

inline constexpr std::uint32_t no_node = ~0u;

/// Ready nodes by critical path.
class by_critical_path {
 public:
  by_critical_path(planned& of, unsigned workers) {
    order_.begin(of.plan());
    order_.learn(of.plan(), of.results().get(), workers);
  }
  void push(unsigned, std::uint32_t index) {
    order_.push(index);
    ++size_;
  }
  std::uint32_t best_of(std::uint32_t index) { return order_.exchange(index); }
  std::uint32_t take(unsigned) {
    if (size_ == 0) return no_node;
    --size_;
    return order_.pop();
  }

 private:
  filch::graph::node_order order_;
  unsigned size_ = 0;
};

/// Ready nodes as they come.
class by_arrival {
 public:
  by_arrival(planned&, unsigned workers) : of_workers_(workers) {}
  void push(unsigned worker, std::uint32_t index) { of_workers_[worker].push_back(index); }
  static std::uint32_t best_of(std::uint32_t index) { return index; }
  std::uint32_t take(unsigned worker) {
    if (auto& mine = of_workers_[worker]; !mine.empty()) {
      const std::uint32_t youngest = mine.back();
      mine.pop_back();
      return youngest;
    }
    const auto count = static_cast<std::uint32_t>(of_workers_.size());
    const std::uint32_t first = filch::base::below(draw_(), count);
    for (std::uint32_t i = 0; i != count; ++i) {
      auto& victim = of_workers_[(first + i) % count];
      if (victim.empty()) continue;
      const std::uint32_t oldest = victim.front();
      victim.pop_front();
      return oldest;
    }
    return no_node;
  }

 private:
  std::vector<std::deque<std::uint32_t>> of_workers_;
  filch::base::split_mix64 draw_{1};
};

/// A simulated run: which worker ends which node when.
template <class Order>
class simulation {
 public:
  simulation(planned& of, unsigned workers) : of_{of}, order_{of, workers}, left_(of.plan().size) {
    for (unsigned i = workers; i-- != 0;) idle_.push_back(i);
    for (std::uint32_t i = 0; i != of.plan().size; ++i) left_[i] = of.plan().steps[i].needs;
    for (const std::uint32_t root : of.plan().roots) order_.push(0, root);
  }
  /// Returns the time from the begin to the end of the last node, in microseconds.
  double run() {
    wake_idle();
    while (!running_.empty()) {
      const running ended = running_.top();
      running_.pop();
      now_us_ = ended.until_us;
      const std::uint32_t next = end(ended.worker, ended.node);
      next == no_node ? idle_.push_back(ended.worker) : begin(ended.worker, next);
      wake_idle();
    }
    return now_us_;
  }

 private:
  struct running {
    double until_us;
    unsigned worker;
    std::uint32_t node;
    bool operator<(const running& other) const noexcept { return until_us > other.until_us; }
  };

  void begin(unsigned worker, std::uint32_t node) {
    running_.push({now_us_ + of_.us(node), worker, node});
  }
  /// Returns the node with which the worker goes on.
  std::uint32_t end(unsigned worker, std::uint32_t node) {
    const filch::graph::step& at = of_.plan().steps[node];
    std::uint32_t best = no_node;
    for (std::uint32_t i = 0; i != at.target_count; ++i) {
      const std::uint32_t next = of_.plan().targets[at.first_target + i];
      if (--left_[next] != 0) continue;
      if (best != no_node) order_.push(worker, best);
      best = next;
    }
    return best == no_node ? order_.take(worker) : order_.best_of(best);
  }
  void wake_idle() {
    while (!idle_.empty()) {
      const std::uint32_t next = order_.take(idle_.back());
      if (next == no_node) return;
      begin(idle_.back(), next);
      idle_.pop_back();
    }
  }

  planned& of_;
  Order order_;
  std::vector<std::uint32_t> left_;
  std::vector<unsigned> idle_;
  std::priority_queue<running> running_;
  double now_us_ = 0;
};

template <class Order>
double simulated_us(const dag& of, unsigned workers) {
  planned plan{of};
  return simulation<Order>{plan, workers}.run();
}

}  // namespace bench::graph_order
