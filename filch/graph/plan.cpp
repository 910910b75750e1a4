// How the nodes of a graph are put in order, and what is refused.
#include <filch/graph/plan.hpp>
#include <filch/sched/pool/pool_state.hpp>

#include <algorithm>
#include <span>
#include <stdexcept>

namespace filch::inline v0_2::graph {

std::string name_of(const node_base& node) {
  if (node.info->name != nullptr) return node.info->name;
  // As the address at which a call in it goes on
  return sched::name_of(reinterpret_cast<const char*>(node.operations->run) + 1);
}

class plan::maker {
 public:
  maker(plan& made, const std::vector<node_base*>& nodes, const std::vector<link>& links)
      : made_{made}, nodes_{nodes}, links_{links}, place_(nodes.size(), unplaced) {
    order_.reserve(nodes.size());
  }
  void make() {
    in_.sort(links_, nodes_.size(), &link::to);
    out_.sort(links_, nodes_.size(), &link::from);
    for (const node_base* each : nodes_) made_.has_branches |= each->info->is_branch;
    is_back_.resize(made_.has_branches ? links_.size() : 0);
    sort();
    lay_out();
    if (made_.has_branches) check_loops();
    check_readers();
  }

 private:
  static constexpr std::uint32_t unplaced = ~0u;

  /// Edges by one of their ends, as numbers in `links_`.
  struct by_node {
    std::vector<std::uint32_t> first, edges;

    void sort(const std::vector<link>& all, std::size_t nodes, std::uint32_t link::*end) {
      first.assign(nodes + 1, 0);
      for (const link& each : all) ++first[each.*end + 1];
      for (std::size_t i = 0; i != nodes; ++i) first[i + 1] += first[i];
      edges.resize(all.size());
      std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
      for (std::uint32_t i = 0; i != all.size(); ++i) edges[next[all[i].*end]++] = i;
    }
    std::span<const std::uint32_t> of(std::uint32_t number) const noexcept {
      return {edges.data() + first[number], edges.data() + first[number + 1]};
    }
  };
  bool is_back(std::uint32_t edge) const noexcept { return made_.has_branches && is_back_[edge]; }

  // -----------------------------------------------------------------------------------------------
  // the order
  // The youngest ready node goes first, so that a node lies near the one that made it ready.
  void sort() {
    std::vector<std::uint32_t> left(nodes_.size()), ready;
    for (std::uint32_t i = 0; i != nodes_.size(); ++i)
      left[i] = static_cast<std::uint32_t>(in_.of(i).size());
    for (std::uint32_t i = static_cast<std::uint32_t>(nodes_.size()); i-- != 0;)
      if (left[i] == 0) ready.push_back(i);
    for (;;) {
      while (!ready.empty()) {
        const std::uint32_t next = ready.back();
        ready.pop_back();
        place_[next] = position(order_);
        order_.push_back(next);
        for (const std::uint32_t edge : out_.of(next)) {
          const std::uint32_t to = links_[edge].to;
          if (--left[to] == 0 && place_[to] == unplaced) ready.push_back(to);
        }
      }
      if (order_.size() == nodes_.size()) return;
      ready.push_back(begin_of_loop());
    }
  }

  // All that is left lies on a cycle, or behind one. A loop begins with a node that comes after one
  // that is in order already, and waits for branches alone, which come after it.
  std::uint32_t begin_of_loop() {
    for (std::uint32_t each = 0; each != nodes_.size(); ++each) {
      if (place_[each] != unplaced) continue;
      bool comes_after_another = false, waits_for_branches = true;
      for (const std::uint32_t edge : in_.of(each)) {
        const bool is_in_order = place_[links_[edge].from] != unplaced;
        comes_after_another |= is_in_order;
        waits_for_branches &= is_in_order || links_[edge].kind == dependency::choice;
      }
      if (!comes_after_another || !waits_for_branches || !precedes_all_left(each)) continue;
      for (const std::uint32_t edge : in_.of(each))
        is_back_[edge] = place_[links_[edge].from] == unplaced;
      return each;
    }
    throw std::logic_error(
        "filch: the nodes of a task_graph wait for each other in a circle: " + cycle() +
        ". Remove a dependency. For a loop, let its last node be a branch that "
        "chooses the first one, and let another node precede that.");
  }

  /// Whether `first` comes before each of its predecessors that is not in order.
  bool precedes_all_left(std::uint32_t first) const {
    const auto is_left = [&](std::uint32_t node) { return place_[node] == unplaced; };
    const std::vector<bool> after =
        reach(first, [&](std::uint32_t at, std::vector<std::uint32_t>& open) {
          for (const std::uint32_t edge : out_.of(at))
            if (is_left(links_[edge].to)) open.push_back(links_[edge].to);
        });
    const std::span<const std::uint32_t> from = in_.of(first);
    return std::all_of(from.begin(), from.end(), [&](std::uint32_t edge) {
      return !is_left(links_[edge].from) || after[links_[edge].from];
    });
  }

  // From any node that is left, each predecessor that is left, until one comes again.
  std::string cycle() const {
    const auto is_left = [&](std::uint32_t node) { return place_[node] == unplaced; };
    std::vector<std::uint32_t> path;
    std::uint32_t at = 0;
    while (!is_left(at)) ++at;
    auto seen = path.end();
    while (seen == path.end()) {
      path.push_back(at);
      const std::span<const std::uint32_t> from = in_.of(at);
      const auto edge = std::find_if(from.begin(), from.end(),
                                     [&](std::uint32_t one) { return is_left(links_[one].from); });
      at = links_[*edge].from;
      seen = std::find(path.begin(), path.end(), at);
    }
    std::string names = name_of(*nodes_[at]);
    for (auto each = path.end(); each != seen; --each)
      names += ", then " + name_of(*nodes_[*(each - 1)]);
    return names;
  }

  // -----------------------------------------------------------------------------------------------
  // the arrays
  void lay_out() {
    made_.steps = std::make_unique<step[]>(order_.size());
    made_.targets.reserve(links_.size());
    for (std::uint32_t index = 0; index != order_.size(); ++index) {
      const std::uint32_t number = order_[index];
      node_base& node = *nodes_[number];
      const node_info& about = *node.info;
      node.index = index;
      step& made = made_.steps[index];
      made.node = &node;
      made.home = node.home;
      made.run = node.operations->run;
      made.may_end_later = node.operations->may_end_later;
      made.is_special =
          about.limits != nullptr || about.on_thread != nullptr || about.on_pool != nullptr;
      if (made_.has_branches) lay_out_ways(number);
      for (const std::uint32_t edge : in_.of(number)) made.needs += is_back(edge) ? 0 : 1;
      made.left.arm(made.needs);
      made.first_target = position(made_.targets);
      for (const std::uint32_t edge : out_.of(number))
        if (!is_back(edge)) made_.targets.push_back(place_[links_[edge].to]);
      made.target_count = (position(made_.targets) - made.first_target) & (~0u >> 2);
      if (made.needs == 0) made_.roots.push_back(index);
    }
  }
  void lay_out_ways(std::uint32_t number) {
    ways made{position(made_.sources), position(made_.choices), 0};
    for (const std::uint32_t edge : in_.of(number)) {
      const link& one = links_[edge];
      if (!is_back(edge)) made_.sources.push_back({place_[one.from], one.choice, one.kind});
    }
    for (const std::uint32_t edge : out_.of(number)) {
      const link& one = links_[edge];
      if (is_back(edge)) made_.choices.push_back({place_[one.to], one.choice, 0});
    }
    made.choices = position(made_.choices) - made.first_choice;
    made_.ways_of.push_back(made);
  }
  template <class T>
  static std::uint32_t position(const std::vector<T>& in) noexcept {
    return static_cast<std::uint32_t>(in.size());
  }

  // -----------------------------------------------------------------------------------------------
  // loops
  void check_loops() {
    for (std::uint32_t index = 0; index != order_.size(); ++index) {
      const ways& of = made_.ways_of[index];
      for (std::uint32_t i = 0; i != of.choices; ++i) {
        choice& back = made_.choices[of.first_choice + i];
        back.repeats = check_loop(back.target, index);
      }
    }
  }

  // The nodes from `first` to the branch `last` run again. When the branch runs, all of them have
  // ended, and none of them waits for a node outside.
  std::uint32_t check_loop(std::uint32_t first, std::uint32_t last) {
    const std::vector<bool> before = reach_back(last), loop = reach_from(first, last);
    std::uint32_t count = 0;
    for (std::uint32_t i = first; i != loop.size(); ++i) {
      if (!loop[i]) continue;
      ++count;
      if (!before[i])
        refuse_loop(i, last, "depends on a node of the loop, but the branch does not wait for it");
      if (i != first) check_sources(i, loop, last);
      keep_results(i, loop);
    }
    return count;
  }
  void check_sources(std::uint32_t index, const std::vector<bool>& loop, std::uint32_t last) const {
    for (const std::uint32_t edge : in_.of(order_[index]))
      if (!is_back(edge) && !loop[place_[links_[edge].from]])
        refuse_loop(index, last,
                    "lies in the loop and waits for a node before it; let the first node of the "
                    "loop wait for that node");
  }
  void keep_results(std::uint32_t index, const std::vector<bool>& loop) const {
    for (const std::uint32_t edge : in_.of(order_[index])) {
      const link& one = links_[edge];
      if (one.kind == dependency::value && !loop[place_[one.from]])
        nodes_[one.from]->info->keeps_result = true;
    }
  }
  [[noreturn]] void refuse_loop(std::uint32_t index, std::uint32_t last, const char* why) const {
    throw std::logic_error("filch: the loop of the branch " + name_of(*nodes_[order_[last]]) +
                           " cannot be repeated: " + name_of(*nodes_[order_[index]]) + " " + why);
  }
  // What comes after `first` without a way through `last`, and both.
  std::vector<bool> reach_from(std::uint32_t first, std::uint32_t last) const {
    return reach(first, [&](std::uint32_t at, std::vector<std::uint32_t>& open) {
      const step& of = made_.steps[at];
      for (std::uint32_t i = 0; at != last && i != of.target_count; ++i)
        open.push_back(made_.targets[of.first_target + i]);
    });
  }
  std::vector<bool> reach_back(std::uint32_t last) const {
    return reach(last, [&](std::uint32_t at, std::vector<std::uint32_t>& open) {
      for (const std::uint32_t edge : in_.of(order_[at]))
        if (!is_back(edge)) open.push_back(place_[links_[edge].from]);
    });
  }
  template <class F>
  std::vector<bool> reach(std::uint32_t from, F see_next) const {
    std::vector<bool> reached(nodes_.size());
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (reached[at]) continue;
      reached[at] = true;
      see_next(at, open);
    }
    return reached;
  }

  // -----------------------------------------------------------------------------------------------
  // results
  void check_readers() const {
    for (std::uint32_t number = 0; number != nodes_.size(); ++number) {
      if (!nodes_[number]->info->takes_results) continue;
      for (const std::uint32_t edge : in_.of(number)) {
        const node_base& from = *nodes_[links_[edge].from];
        if (links_[edge].kind != dependency::value || from.may_be_taken()) continue;
        throw std::logic_error("filch: the node " + name_of(*nodes_[number]) +
                               " takes the result of " + name_of(from) +
                               (from.info->keeps_result
                                    ? " in each turn of a loop, but that node runs once."
                                    : " as its own, but another node reads it, too.") +
                               " Let its function take it by const reference.");
      }
    }
  }

  plan& made_;
  const std::vector<node_base*>& nodes_;
  const std::vector<link>& links_;
  by_node in_, out_;
  std::vector<bool> is_back_;         ///< By edge: from a branch to the begin of its loop.
  std::vector<std::uint32_t> place_;  ///< By number: in `order_`.
  std::vector<std::uint32_t> order_;  ///< Numbers.
};

void plan::make(const std::vector<node_base*>& nodes, const std::vector<link>& links) {
  *this = plan{};
  size = static_cast<std::uint32_t>(nodes.size());
  maker{*this, nodes, links}.make();
}

}  // namespace filch::graph
