#pragma once
#include <filch/span/verdict.hpp>
#include <nlohmann/json_fwd.hpp>

namespace filch::cli {

/// Raised when a reader of the old format would misunderstand the new one.
/// `tools/viewer/src/report/data.ts` reads it.
inline constexpr int report_page_version = 3;

/// Of more intervals or jobs than this the page gets the grid alone: it stays a file that a browser
/// opens.
inline constexpr std::size_t most_details = std::size_t{1} << 21;

/// What the page of a recording shows: all that `filch report --json` says, and what happened when.
nlohmann::json page_json(const event::recording& from, const span::observation& seen,
                         const span::verdict& judged, const span::lone_run& alone = {},
                         std::size_t detail_limit = most_details);

}  // namespace filch::cli
