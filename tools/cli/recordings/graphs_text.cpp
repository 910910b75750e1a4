#include <fmt/format.h>
#include <tools/cli/recordings/graphs_text.hpp>
#include <tools/cli/recordings/show.hpp>
#include <tools/cli/report.hpp>

#include <algorithm>
#include <numeric>

namespace filch::cli {
namespace {

constexpr std::size_t path_shown = 40, faster_shown = 5;

std::string time_text(std::uint64_t ns) { return cli::time_text(static_cast<std::int64_t>(ns)); }

std::string whole_text(const event::graph_run& of, std::size_t others) {
  const std::string name = of.name.empty() ? "" : name_text(of.name) + ", ";
  const std::string runs = of.runs > 1 ? fmt::format(", longest of {}", count_text(of.runs)) : "";
  const std::string more =
      others == 0 ? "" : fmt::format("; {} more", count_text(others, "graphs"));
  return fmt::format("{}{}: {}{}; work {}, span {}{}", name, count_text(of.node_count, "nodes"),
                     time_text(of.wall_ns), runs, time_text(of.work_ns), time_text(of.span_ns),
                     more);
}

std::string path_text(const event::graph_run& of) {
  const std::vector<std::uint32_t> path = critical_path(of);
  std::vector<std::string> parts;
  for (const std::uint32_t each : path) {
    if (parts.size() == path_shown) {
      parts.push_back(fmt::format("and {} more", path.size() - path_shown));
      break;
    }
    const event::graph_run_node& node = of.nodes[each];
    parts.push_back(fmt::format("{} {}", name_text(node.name), time_text(node.ns)));
  }
  return fmt::format("{}", fmt::join(parts, " > "));
}

std::string what_if_text(const event::graph_run& of) {
  std::vector<std::uint32_t> order(of.nodes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {},
                           [&](std::uint32_t i) { return of.nodes[i].span_if_twice_as_fast_ns; });
  std::vector<std::string> parts;
  for (const std::uint32_t each : order) {
    const event::graph_run_node& node = of.nodes[each];
    if (parts.size() == faster_shown || node.span_if_twice_as_fast_ns >= of.span_ns) break;
    parts.push_back(
        fmt::format("{} {}", name_text(node.name), time_text(node.span_if_twice_as_fast_ns)));
  }
  if (parts.empty()) return "no single node shortens the span";
  return fmt::format("span with one node twice as fast: {}", fmt::join(parts, ", "));
}

}  // namespace

graph_texts texts_of_graphs(const event::recording& from) {
  const event::graph_run& longest =
      *std::ranges::max_element(from.graphs, {}, &event::graph_run::wall_ns);
  return {whole_text(longest, from.graphs.size() - 1), path_text(longest), what_if_text(longest)};
}

}  // namespace filch::cli
