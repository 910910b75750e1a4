#pragma once
// The numbers of an analysis and of task graphs as JSON, and back, by the names that files have for
// them.
#include <filch/event/analysis.hpp>
#include <filch/event/graph_run.hpp>
#include <nlohmann/json.hpp>

namespace filch::cli {

/// The numbers alone, without costs and sites.
nlohmann::json numbers_json(const analysis::result& of);
nlohmann::json numbers_json(const analysis::costs& of);
nlohmann::json numbers_json(const analysis::site& of);

/// All of it; what is missing stays at its default. Throws, if something has another form:
/// `bad_recording`, or what the parser of JSON throws.
analysis::result analysis_from(const nlohmann::json& text);

/// With all its nodes; `worker` is null if none ended a node.
nlohmann::json graph_json(const event::graph_run& of);
/// What is missing stays at its default. Throws: as `analysis_from`.
event::graph_run graph_from(const nlohmann::json& text);

}  // namespace filch::cli
