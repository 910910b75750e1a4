#pragma once
#include <nlohmann/json_fwd.hpp>
#include <tools/cli/explain/story.hpp>

namespace filch::cli::explain {

/// Raised when a reader of the old format would misunderstand the new one.
/// `tools/viewer/src/explain/data.ts` reads it.
inline constexpr int format_version = 1;

nlohmann::ordered_json as_json(const story& all);

}  // namespace filch::cli::explain
