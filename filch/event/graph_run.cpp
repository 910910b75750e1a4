#include <filch/event/graph_run.hpp>

#include <algorithm>

namespace filch::inline v0_2::event {
namespace {

// 13 days: the sum over all nodes of a graph stays below 2^61
constexpr std::uint64_t longest_node_ns = std::uint64_t{1} << 50;
constexpr std::uint64_t most_ns = std::uint64_t{1} << 62;

bool is_sound(const graph_run_node& node, std::size_t index, std::size_t count) noexcept {
  const auto is_later = [&](std::uint32_t next) { return next > index && next < count; };
  return static_cast<std::size_t>(node.outcome) < outcome_names.size() &&
         std::max({node.ns, node.slack_ns, node.span_if_twice_as_fast_ns}) <= longest_node_ns &&
         std::ranges::all_of(node.successors, is_later);
}

}  // namespace

bool is_sound(const graph_run& of) noexcept {
  if (of.nodes.size() > most_graph_nodes) return false;
  if (std::max({of.begin_ns, of.wall_ns, of.work_ns, of.span_ns}) > most_ns) return false;
  std::size_t edges = 0;
  for (std::size_t i = 0; i != of.nodes.size(); ++i) {
    if (!is_sound(of.nodes[i], i, of.nodes.size())) return false;
    edges += of.nodes[i].successors.size();
  }
  return edges <= most_graph_edges;
}

std::vector<std::uint32_t> critical_path(const graph_run& of) {
  const std::size_t count = of.nodes.size();
  std::vector<std::uint64_t> from(count);  // the longest way that begins with a node
  std::vector<std::size_t> next(count, count);
  for (std::size_t i = count; i-- != 0;) {
    for (const std::uint32_t each : of.nodes[i].successors)
      if (next[i] == count || from[each] > from[next[i]]) next[i] = each;
    from[i] = of.nodes[i].ns + (next[i] == count ? 0 : from[next[i]]);
  }
  std::vector<std::uint32_t> path;
  for (auto at = static_cast<std::size_t>(std::ranges::max_element(from) - from.begin());
       at != count; at = next[at])
    path.push_back(static_cast<std::uint32_t>(at));
  return path;
}

}  // namespace filch::event
