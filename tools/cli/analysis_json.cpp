#include <filch/event/analysis_fields.hpp>
#include <tools/cli/analysis_json.hpp>
#include <tools/cli/recordings/number_of.hpp>

#include <algorithm>

namespace filch::cli {

using nlohmann::json;

namespace {

template <class Number>
json value_json(Number value) {
  return value;
}
json value_json(const duration_histogram& value) {
  const auto& counts = value.counts;
  const auto end = std::find_if(counts.rbegin(), counts.rend(), [](std::uint64_t count) {
                     return count != 0;
                   }).base();
  return std::vector<std::uint64_t>(counts.begin(), end);
}

template <class Number>
void take_value(const json& from, Number& value) {
  value = number_of<Number>(from);
}
void take_value(const json& from, duration_histogram& value) {
  const std::size_t size = std::min(from.size(), value.counts.size());
  for (std::size_t i = 0; i < size; ++i) take_value(from.at(i), value.counts[i]);
}

template <class Fields, class Of>
json fields_json(const Fields& fields, const Of& of) {
  json made;
  for (const auto& field : fields)
    std::visit([&](auto member) { made[std::string{field.name}] = value_json(of.*member); },
               field.value);
  return made;
}

template <class Fields, class Of>
void take_fields(const Fields& fields, const json& from, Of& into) {
  for (const auto& field : fields) {
    const auto found = from.find(std::string{field.name});
    if (found != from.end())
      std::visit([&](auto member) { take_value(*found, into.*member); }, field.value);
  }
}

}  // namespace

json numbers_json(const analysis::result& of) { return fields_json(event::analysis_fields, of); }
json numbers_json(const analysis::costs& of) { return fields_json(event::cost_fields, of); }
json numbers_json(const analysis::site& of) { return fields_json(event::site_fields, of); }

analysis::result analysis_from(const json& text) {
  analysis::result made;
  take_fields(event::analysis_fields, text, made);
  if (text.contains("costs")) take_fields(event::cost_fields, text["costs"], made.costs);
  for (const json& each : text.value("sites", json::array())) {
    analysis::site& added = made.sites.emplace_back();
    added.where = {
        number_of<std::uint64_t>(each.value("address", json(0u))), each.value("module", ""),
        number_of<std::uint64_t>(each.value("offset", json(0u))), each.value("name", "")};
    take_fields(event::site_fields, each, added);
  }
  return made;
}

// -------------------------------------------------------------------------------------------------
// task graphs
json graph_json(const event::graph_run& of) {
  json made = fields_json(event::graph_fields, of);
  made["name"] = of.name;
  made["nodes"] = json::array();
  for (const event::graph_run_node& each : of.nodes) {
    json node = fields_json(event::graph_node_fields, each);
    if (each.worker == event::graph_run_node::no_worker) node["worker"] = nullptr;
    node["name"] = each.name;
    node["outcome"] = event::outcome_names[static_cast<std::size_t>(each.outcome)];
    node["successors"] = each.successors;
    made["nodes"].push_back(std::move(node));
  }
  return made;
}

namespace {

event::graph_run_node graph_node_from(json text) {
  event::graph_run_node made;
  if (text.contains("worker") && text["worker"].is_null()) text.erase("worker");
  take_fields(event::graph_node_fields, text, made);
  made.name = text.value("name", "");
  const std::string outcome = text.value("outcome", "none");
  const auto known = std::ranges::find(event::outcome_names, outcome);
  if (known == event::outcome_names.end()) throw bad_recording{"'" + outcome + "' is not known"};
  made.outcome = static_cast<node_outcome>(known - event::outcome_names.begin());
  for (const json& each : text.value("successors", json::array()))
    made.successors.push_back(number_of<std::uint32_t>(each));
  return made;
}

}  // namespace

event::graph_run graph_from(const json& text) {
  event::graph_run made;
  take_fields(event::graph_fields, text, made);
  made.name = text.value("name", "");
  for (const json& each : text.value("nodes", json::array()))
    made.nodes.push_back(graph_node_from(each));
  return made;
}

}  // namespace filch::cli
