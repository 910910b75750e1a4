#pragma once
// The numbers of an analysis as JSON, and back, by the names that files have for them.
#include <filch/event/analysis.hpp>
#include <nlohmann/json.hpp>

namespace filch::cli {

/// The numbers alone, without costs and sites.
nlohmann::json numbers_json(const analysis::result& of);
nlohmann::json numbers_json(const analysis::costs& of);
nlohmann::json numbers_json(const analysis::site& of);

/// All of it; what is missing stays at its default. Throws, if something has another form:
/// `bad_recording`, or what the parser of JSON throws.
analysis::result analysis_from(const nlohmann::json& text);

}  // namespace filch::cli
