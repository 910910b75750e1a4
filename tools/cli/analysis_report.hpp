#pragma once
// An analysis for people and for programs.
#include <filch/analyze.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace filch::cli {

/// A run on so many workers, beside what was predicted for it.
struct measured_run {
  unsigned workers = 1;
  double seconds = 0;            ///< Median.
  double predicted_seconds = 0;  ///< From the analysis alone.
  /// From the analysis, and the time of the unwatched run on one worker.
  double scaled_seconds = 0;
};

/// All there is to say about one analysis.
struct analysis_report {
  analysis::result found;
  /// The number of workers that suggested grains and gains are for.
  unsigned workers = 1;
  std::vector<measured_run> measured;  ///< Empty, unless asked for.
};

/// The report of a recording, which may come from anywhere and so may have no slots.
inline analysis_report recorded_analysis(const analysis::result& found, unsigned slots) {
  return {found, std::max(slots, 1u), {}};
}

/// What stands in the way, in a sentence.
std::string verdict(const analysis::result& found, unsigned workers);
/// At most 24 lines of 80 columns, apart from names that are longer.
void print_analysis(std::FILE* stream, const analysis_report& report);
/// The sites alone, the costliest six, as a table with names of at most so many columns.
void print_sites(std::FILE* stream, const analysis_report& report, std::size_t name_width = 27);
/// "work 1.20 s, span 9.80 ms, parallelism 122, burdened 80".
std::string work_and_span_text(const analysis::result& found);
/// "x 1.98 on 2, 3.87 on 4, 14.3 on 16, 38.9 on 64, 92.0 on 1,024 workers": what is expected.
std::string speed_ups_text(const analysis::result& found);
/// "SITE twice as fast: 8.30 ms, not 9.01 ms": the site where that pays most, its name in so many
/// columns; empty if there is none.
std::string what_if_text(const analysis_report& report, std::size_t name_width = 27);
/// How far to trust it.
std::string trust_text(const analysis::result& found);
nlohmann::json analysis_json(const analysis_report& report);

}  // namespace filch::cli
