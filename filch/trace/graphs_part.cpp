#include <filch/trace/graphs_part.hpp>

#include <filch/trace/fields.hpp>

#include <span>

namespace filch::inline v0_2::trace {
namespace {

// A successor is a later node, so it is written as its distance.
void put_node(byte_writer& part, const event::graph_run_node& node, std::uint32_t index) {
  part.put_text(node.name);
  part.put(static_cast<std::uint64_t>(node.outcome));
  part.put(node.successors.size());
  for (const std::uint32_t each : node.successors) part.put(each - index);
}

void take_node(byte_reader& part, event::graph_run_node& into, std::size_t index,
               std::size_t count) {
  into.name = part.take_text();
  into.outcome = static_cast<node_outcome>(
      part.take_up_to(event::outcome_names.size() - 1, "the outcome of a node"));
  for (std::size_t left = part.take_count("the number of successors"); left > 0; --left)
    into.successors.push_back(static_cast<std::uint32_t>(
        index + part.take_up_to(count - 1 - index, "the distance of a successor")));
}

}  // namespace

byte_writer graphs_part(const std::vector<event::graph_run>& all) {
  byte_writer part;
  part.put(all.size());
  for (const event::graph_run& each : all) {
    part.put_text(each.name);
    part.put(each.nodes.size());
    for (std::uint32_t i = 0; i != each.nodes.size(); ++i) put_node(part, each.nodes[i], i);
    put_fields(part, event::graph_node_fields, std::span{each.nodes});
  }
  put_fields(part, event::graph_fields, std::span{all});
  return part;
}

std::vector<event::graph_run> read_graphs(byte_reader& part) {
  std::vector<event::graph_run> all(part.take_up_to(event::most_graphs, "the number of graphs"));
  for (event::graph_run& each : all) {
    each.name = part.take_text();
    const std::size_t count = part.take_count("the number of nodes");
    for (std::size_t i = 0; i != count; ++i) take_node(part, each.nodes.emplace_back(), i, count);
    take_fields(part, event::graph_node_fields, std::span{each.nodes});
  }
  take_fields(part, event::graph_fields, std::span{all});
  for (const event::graph_run& each : all)
    if (!is_sound(each)) part.fail("holds a graph with a time or an edge that is none");
  return all;
}

}  // namespace filch::trace
