#include <filch/graph/report.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/graph/core.hpp>
#include <filch/trace/recorder.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

namespace filch::inline v0_2::graph {
namespace {

/// The names of nodes. Of those without a name of their own it looks for each function once, which
/// takes some 200 us.
class node_names {
 public:
  const char* of(const node_base& node) {
    if (node.info->name != nullptr) return node.info->name;
    std::string& known = of_functions_[reinterpret_cast<const void*>(node.operations->run)];
    if (known.empty()) known = name_of(node);
    return known.c_str();
  }

 private:
  std::map<const void*, std::string> of_functions_;
};

/// The longest way through each node, and without it.
struct longest_ways {
  std::vector<std::uint64_t> own, before, after;
  std::uint64_t span = 0;

  longest_ways(const plan& of, const core& run) : own(of.size), before(of.size), after(of.size) {
    for (std::uint32_t i = 0; i != of.size; ++i) own[i] = run.ns_of(*of.steps[i].node);
    for (std::uint32_t i = 0; i != of.size; ++i) {
      for_each_target(of, i, [&](std::uint32_t next) {
        before[next] = std::max(before[next], before[i] + own[i]);
      });
    }
    for (std::uint32_t i = of.size; i-- != 0;) {
      for_each_target(of, i, [&](std::uint32_t next) {
        after[i] = std::max(after[i], own[next] + after[next]);
      });
      span = std::max(span, through(i));
    }
  }
  std::uint64_t through(std::uint32_t i) const noexcept { return before[i] + own[i] + after[i]; }
  std::uint64_t slack(std::uint32_t i) const noexcept { return span - through(i); }
  std::uint64_t through_if_twice_as_fast(std::uint32_t i) const noexcept {
    return through(i) - own[i] / 2;
  }

 private:
  template <class F>
  static void for_each_target(const plan& of, std::uint32_t i, F see) {
    for (std::uint32_t t = 0; t != of.steps[i].target_count; ++t)
      see(of.targets[of.steps[i].first_target + t]);
  }
};

/// The longest way beside each node: by topological position, what does not pass through it.
std::vector<std::uint64_t> longest_beside(const plan& of, const longest_ways& ways) {
  // A way that does not pass through node i either ends before it, begins after it, or has an edge
  // from a node before it to one after it. So the longest is found by a sweep over the edges.
  std::vector<std::uint64_t> ends_before(of.size + 1), begins_after(of.size + 1);
  for (std::uint32_t i = 0; i != of.size; ++i)
    ends_before[i + 1] =
        std::max(ends_before[i], of.steps[i].target_count == 0 ? ways.before[i] + ways.own[i] : 0);
  for (std::uint32_t i = of.size; i-- != 0;)
    begins_after[i] =
        std::max(begins_after[i + 1], of.steps[i].needs == 0 ? ways.own[i] + ways.after[i] : 0);
  std::vector<std::uint64_t> beside(of.size);
  for (std::uint32_t i = 0; i != of.size; ++i)
    beside[i] = std::max(ends_before[i], begins_after[i + 1]);
  struct crossing {
    std::uint64_t length;
    std::uint32_t until;
    bool operator<(const crossing& other) const noexcept { return length < other.length; }
  };
  std::vector<crossing> open;  // edges over the node at hand, the longest way first
  for (std::uint32_t i = 0; i != of.size; ++i) {
    while (!open.empty() && open.front().until <= i) {
      std::pop_heap(open.begin(), open.end());
      open.pop_back();
    }
    if (!open.empty()) beside[i] = std::max(beside[i], open.front().length);
    for (std::uint32_t t = 0; t != of.steps[i].target_count; ++t) {
      const std::uint32_t next = of.targets[of.steps[i].first_target + t];
      open.push_back({ways.before[i] + ways.own[i] + ways.own[next] + ways.after[next], next});
      std::push_heap(open.begin(), open.end());
    }
  }
  return beside;
}

}  // namespace

told_run report(core& of, void (*see)(const told_node&, void*), void* context) {
  of.check_idle("last_run()");
  const plan& planned = of.planned();
  if (!of.has_run()) return {};
  const longest_ways ways{planned, of};
  const std::vector<std::uint64_t> beside = longest_beside(planned, ways);
  told_run all{of.ran_ns(), 0, ways.span};
  node_names names;
  for (std::uint32_t i = 0; i != planned.size; ++i) {
    const step& at = planned.steps[i];
    all.work_ns += ways.own[i];
    see({names.of(*at.node), of.result_of(*at.node), ways.own[i], ways.slack(i),
         std::max(ways.through_if_twice_as_fast(i), beside[i]),
         planned.targets.data() + at.first_target, at.target_count},
        context);
  }
  return all;
}

// -------------------------------------------------------------------------------------------------
// in recordings
namespace {

/// The nodes that a recording has room for, in topological order: those with the least slack.
std::vector<std::uint32_t> nodes_to_keep(const longest_ways& ways) {
  std::vector<std::uint32_t> kept(ways.own.size());
  std::iota(kept.begin(), kept.end(), 0u);
  if (kept.size() <= event::most_graph_nodes) return kept;
  std::ranges::nth_element(kept, kept.begin() + event::most_graph_nodes, {}, [&](std::uint32_t i) {
    return std::pair{ways.slack(i), i};
  });
  kept.resize(event::most_graph_nodes);
  std::ranges::sort(kept);
  return kept;
}

/// The nodes of a run that has ended, and the code of each.
void put_nodes(const core& of, const longest_ways& ways, trace::graph_report_entry& into) {
  const plan& planned = of.planned();
  const std::vector<std::uint64_t> beside = longest_beside(planned, ways);
  const std::vector<std::uint32_t> kept = nodes_to_keep(ways);
  std::vector<std::uint32_t> place(planned.size, ~0u);
  for (std::uint32_t i = 0; i != kept.size(); ++i) place[kept[i]] = i;
  std::size_t edges_left = event::most_graph_edges;
  for (const std::uint32_t i : kept) {
    const step& at = planned.steps[i];
    const node_result result = of.result_of(*at.node);
    event::graph_run_node& node = into.run.nodes.emplace_back();
    if (at.node->info->name != nullptr) node.name = at.node->info->name;
    node.outcome = result.outcome;
    if (result.worker != ~0u) node.worker = result.worker;
    node.ns = ways.own[i];
    node.slack_ns = ways.slack(i);
    node.span_if_twice_as_fast_ns = std::max(ways.through_if_twice_as_fast(i), beside[i]);
    for (std::uint32_t t = 0; t != at.target_count; ++t) {
      const std::uint32_t next = planned.targets[at.first_target + t];
      // The last ones are for what decides when a node can begin, as the critical path does
      const bool decides = ways.before[next] == ways.before[i] + ways.own[i];
      if (place[next] == ~0u || edges_left <= (decides ? 0 : event::most_graph_nodes)) continue;
      node.successors.push_back(place[next]);
      --edges_left;
    }
    into.codes.push_back(reinterpret_cast<std::uintptr_t>(at.run));
  }
}

}  // namespace

// Only a run that is longer than those before, so this is seldom done twice for a graph.
void core::record_run() noexcept {
  trace::recorder& all = trace::recorder::instance();
  if (name_.empty() && number_ == 0) number_ = trace::recorder::next_graph();
  const std::uint64_t number = name_.empty() ? number_ : 0;
  if (!all.counts_run({name_, number}, ran_ns_)) return;
  FILCH_TRY {
    const longest_ways ways{plan_, *this};
    trace::graph_report_entry told;
    told.number = number;
    told.began_ticks = began_ticks_;
    told.run.name = name_;
    told.run.wall_ns = ran_ns_;
    told.run.work_ns = std::accumulate(ways.own.begin(), ways.own.end(), std::uint64_t{0});
    told.run.span_ns = ways.span;
    told.run.node_count = plan_.size;
    put_nodes(*this, ways, told);
    all.keep(std::move(told));
  }
  FILCH_CATCH_ALL {}  // no memory: recordings lack it
}

void escape(const std::string& text, void (*write)(char, void*), void* context) {
  constexpr char digits[] = "0123456789abcdef";
  for (const char each : text) {
    const auto code = static_cast<unsigned char>(each);
    if (each == '"' || each == '\\') write('\\', context);
    if (code >= 0x20) {
      write(each, context);
    } else if (each == '\n') {
      write('\\', context), write('n', context);
    } else {
      for (const char one : {'\\', 'u', '0', '0', digits[code >> 4], digits[code & 15]})
        write(one, context);
    }
  }
}

}  // namespace filch::graph
