// How the nodes of a graph are put in order, and what is refused.
#include <filch/graph/plan.hpp>
#include <filch/sched/pool/pool_state.hpp>

#include <algorithm>
#include <span>
#include <stdexcept>

namespace filch::inline v0_2::graph {
namespace {

template <class F>
void for_each_link(const node_base& from, F see) {
  for (link* each = from.info->out_first; each != nullptr; each = each->next) see(*each);
}

}  // namespace

std::string name_of(const node_base& node) {
  if (node.info->name != nullptr) return node.info->name;
  // As the address at which a call in it goes on
  return sched::name_of(reinterpret_cast<const char*>(node.operations->run) + 1);
}

class plan::maker {
 public:
  maker(plan& made, node_base* oldest, std::uint32_t size)
      : made_{made}, first_in_(size + 1), left_(size), reached_(size) {
    nodes_.reserve(size);
    order_.reserve(size);
    for (node_base* each = oldest; each != nullptr; each = each->info->newer)
      nodes_.push_back(each);
  }
  void make() {
    collect();
    sort();
    lay_out();
    if (made_.has_branches) check_loops();
    check_readers();
  }

 private:
  /// An edge, seen from its target.
  struct incoming {
    node_base* from = nullptr;
    const link* through = nullptr;
    bool is_back = false;
  };

  void collect() {
    for (node_base* each : nodes_) {
      made_.has_branches |= each->info->is_branch;
      for_each_link(*each, [&](const link& out) { ++left_[out.to->info->number]; });
    }
    for (std::size_t i = 0; i != nodes_.size(); ++i) first_in_[i + 1] = first_in_[i] + left_[i];
    in_.resize(first_in_.back());
    std::vector<std::uint32_t> next(first_in_.begin(), first_in_.end() - 1);
    for (node_base* each : nodes_)
      for_each_link(*each, [&](const link& out) {
        in_[next[out.to->info->number]++] = {each, &out};
      });
  }
  std::span<incoming> into(const node_base& node) noexcept {
    return {in_.data() + first_in_[node.info->number],
            in_.data() + first_in_[node.info->number + 1]};
  }
  std::span<const incoming> into(const node_base& node) const noexcept {
    return {in_.data() + first_in_[node.info->number],
            in_.data() + first_in_[node.info->number + 1]};
  }

  // The youngest ready node goes first, so that a node lies near the one that made it ready.
  void sort() {
    std::vector<node_base*> ready;
    for (auto each = nodes_.rbegin(); each != nodes_.rend(); ++each)
      if (left_[(*each)->info->number] == 0) ready.push_back(*each);
    for (;;) {
      while (!ready.empty()) {
        node_base* const next = ready.back();
        ready.pop_back();
        next->index = static_cast<std::uint32_t>(order_.size());
        order_.push_back(next);
        reached_[next->info->number] = true;
        for_each_link(*next, [&](const link& out) {
          if (--left_[out.to->info->number] == 0 && !reached_[out.to->info->number])
            ready.push_back(out.to);
        });
      }
      if (order_.size() == nodes_.size()) return;
      ready.push_back(&begin_of_loop());
    }
  }

  // All that is left lies on a cycle, or behind one. A loop begins with a node that comes after one
  // that is in order already, and waits for branches alone, which come after it.
  node_base& begin_of_loop() {
    for (node_base* each : nodes_) {
      if (reached_[each->info->number]) continue;
      const std::span<incoming> from = into(*each);
      bool comes_after_another = false, waits_for_branches = true;
      for (const incoming& one : from) {
        const bool is_in_order = reached_[one.from->info->number];
        comes_after_another |= is_in_order;
        waits_for_branches &= is_in_order || one.through->kind == dependency::choice;
      }
      if (!comes_after_another || !waits_for_branches || !precedes_all_left(*each)) continue;
      for (incoming& one : from) one.is_back = !reached_[one.from->info->number];
      return *each;
    }
    throw std::logic_error(
        "filch: the nodes of a task_graph wait for each other in a circle: " + cycle() +
        ". Remove a dependency. For a loop, let its last node be a branch that "
        "chooses the first one, and let another node precede that.");
  }

  /// Whether `first` comes before each of its predecessors that is not in order.
  bool precedes_all_left(const node_base& first) const {
    std::vector<bool> seen = reached_;
    std::vector<const node_base*> open{&first};
    while (!open.empty()) {
      const node_base* const at = open.back();
      open.pop_back();
      for_each_link(*at, [&](const link& out) {
        if (seen[out.to->info->number]) return;
        seen[out.to->info->number] = true;
        open.push_back(out.to);
      });
    }
    const std::span<const incoming> from = into(first);
    return std::all_of(from.begin(), from.end(),
                       [&](const incoming& one) { return seen[one.from->info->number]; });
  }

  // From any node that is left, each predecessor that is left, until one comes again.
  std::string cycle() const {
    std::vector<const node_base*> path;
    const node_base* at = *std::find_if(nodes_.begin(), nodes_.end(), [&](const node_base* each) {
      return !reached_[each->info->number];
    });
    auto seen = path.end();
    while (seen == path.end()) {
      path.push_back(at);
      const std::span<const incoming> from = into(*at);
      at = std::find_if(from.begin(), from.end(), [&](const incoming& one) {
             return !reached_[one.from->info->number];
           })->from;
      seen = std::find(path.begin(), path.end(), at);
    }
    std::string names = name_of(*at);
    for (auto each = path.end(); each != seen; --each) names += ", then " + name_of(**(each - 1));
    return names;
  }

  void lay_out() {
    made_.steps = std::make_unique<step[]>(order_.size());
    for (node_base* each : order_) {
      step& made = made_.steps[each->index];
      made.node = each;
      made.home = each->home;
      made.run = each->operations->run;
      made.may_end_later = each->operations->may_end_later;
      const node_info& about = *each->info;
      made.is_special =
          about.limits != nullptr || about.on_thread != nullptr || about.on_pool != nullptr;
      if (made_.has_branches) lay_out_ways(*each);
      for (const incoming& one : into(*each)) made.needs += one.is_back ? 0 : 1;
      made.left.arm(made.needs);
      made.first_target = position(made_.targets);
      for_each_link(*each, [&](const link& out) {
        if (!is_back(out)) made_.targets.push_back(out.to->index);
      });
      made.target_count = (position(made_.targets) - made.first_target) & (~0u >> 2);
      if (made.needs == 0) made_.roots.push_back(each->index);
    }
  }
  void lay_out_ways(node_base& of) {
    ways made{position(made_.sources), position(made_.choices), 0};
    for (const incoming& one : into(of))
      if (!one.is_back)
        made_.sources.push_back({one.from->index, one.through->choice, one.through->kind});
    for_each_link(of, [&](const link& out) {
      if (is_back(out)) made_.choices.push_back({out.to->index, out.choice, 0});
    });
    made.choices = position(made_.choices) - made.first_choice;
    made_.ways_of.push_back(made);
  }
  template <class T>
  static std::uint32_t position(const std::vector<T>& in) noexcept {
    return static_cast<std::uint32_t>(in.size());
  }
  bool is_back(const link& out) const noexcept {
    if (out.kind != dependency::choice) return false;
    const std::span<const incoming> all = into(*out.to);
    return std::any_of(all.begin(), all.end(),
                       [&](const incoming& one) { return one.through == &out && one.is_back; });
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
    const std::vector<bool> before = reach_back(last), loop = reach(first, last);
    std::uint32_t count = 0;
    for (std::uint32_t i = first; i <= last; ++i) {
      if (!loop[i]) continue;
      ++count;
      if (!before[i])
        refuse_loop(i, last, "depends on a node of the loop, but the branch does not wait for it");
      if (i != first) check_sources(i, loop, last);
      keep_results(i, loop);
    }
    for (std::uint32_t i = last + 1; i != loop.size(); ++i)
      if (loop[i])
        refuse_loop(i, last, "depends on a node of the loop, but the branch does not wait for it");
    return count;
  }
  void check_sources(std::uint32_t index, const std::vector<bool>& loop, std::uint32_t last) {
    for (const incoming& one : into(*order_[index]))
      if (!one.is_back && !loop[one.from->index])
        refuse_loop(index, last,
                    "lies in the loop and waits for a node before it; let the first "
                    "node of the loop wait for that node");
  }
  void keep_results(std::uint32_t index, const std::vector<bool>& loop) {
    for (const incoming& one : into(*order_[index]))
      if (one.through->kind == dependency::value && !loop[one.from->index])
        one.from->info->keeps_result = true;
  }
  [[noreturn]] void refuse_loop(std::uint32_t index, std::uint32_t last, const char* why) const {
    throw std::logic_error("filch: the loop of the branch " + name_of(*order_[last]) +
                           " cannot be repeated: " + name_of(*order_[index]) + " " + why);
  }
  template <class F>
  void for_each_target(std::uint32_t index, F see) const {
    const step& of = made_.steps[index];
    for (std::uint32_t i = 0; i != of.target_count; ++i) see(made_.targets[of.first_target + i]);
  }
  // What comes after `first` without a way through `last`, and both.
  std::vector<bool> reach(std::uint32_t first, std::uint32_t last) const {
    std::vector<bool> reached(order_.size());
    std::vector<std::uint32_t> open{first};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (reached[at]) continue;
      reached[at] = true;
      if (at != last) for_each_target(at, [&](std::uint32_t next) { open.push_back(next); });
    }
    return reached;
  }
  std::vector<bool> reach_back(std::uint32_t last) const {
    std::vector<bool> reached(order_.size());
    std::vector<std::uint32_t> open{last};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (reached[at]) continue;
      reached[at] = true;
      for (const incoming& one : into(*order_[at]))
        if (!one.is_back) open.push_back(one.from->index);
    }
    return reached;
  }

  // -----------------------------------------------------------------------------------------------
  // results
  void check_readers() const {
    for (const node_base* each : nodes_) {
      if (!each->info->takes_results) continue;
      for (const incoming& one : into(*each)) {
        if (one.through->kind != dependency::value || one.from->may_be_taken()) continue;
        throw std::logic_error(
            "filch: the node " + name_of(*each) + " takes the result of " + name_of(*one.from) +
            (one.from->info->keeps_result ? " in each turn of a loop, but that node runs once."
                                          : " as its own, but another node reads it, too.") +
            " Let its function take it by const reference.");
      }
    }
  }

  plan& made_;
  std::vector<node_base*> nodes_;  ///< By number.
  std::vector<incoming> in_;       ///< Those into node `i` begin at `first_in_[i]`.
  std::vector<std::uint32_t> first_in_;
  std::vector<std::uint32_t> left_;  ///< Edges into a node from those not in order yet.
  std::vector<bool> reached_;        ///< It is in order.
  std::vector<node_base*> order_;
};

void plan::make(node_base* oldest, std::uint32_t count) {
  *this = plan{};
  size = count;
  maker{*this, oldest, count}.make();
}

}  // namespace filch::graph
