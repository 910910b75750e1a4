#pragma once
// An observation on a terminal and as JSON.
#include <filch/span/verdict.hpp>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace filch::cli {

/// Nanoseconds as text.
std::string time_text(std::int64_t ns);
/// The code in which a terminal shows a use. Every use has a letter, too.
std::string_view colour_of(span::use what) noexcept;

/// A budget as so many letters, as many of each use as is its share, in color if `stream` has
/// it.
std::string budget_bar(std::FILE* stream, const span::budget& spent, std::size_t width);
/// How many of `width` cells each of `shares` gets, which make up a whole: all cells together, none
/// off by one or more from its share.
std::vector<std::size_t> apportion(std::vector<double> shares, std::size_t width);
/// How many of `width` cells each use gets: all of them together, none off by one or more from its
/// share.
std::array<std::size_t, span::use_count> apportion(const span::budget& spent, std::size_t width);
/// "W working 61 %, . starved 39 %", in lines: what the letters mean that occur.
std::vector<std::string> budget_legend(const span::budget& spent, std::size_t columns);

nlohmann::json to_json(const span::budget& spent);
nlohmann::json to_json(const span::verdict& judged);
nlohmann::json to_json(const event::recording& from, const span::observation& seen,
                       const span::verdict& judged);

}  // namespace filch::cli
