#pragma once
// Points as text.
#include <tools/scale/request.hpp>
#include <tools/scale/run_points.hpp>
#include <tools/scale/words.hpp>

#include <string>
#include <vector>

namespace filch::scaling {

/// How much faster than the first point of its workload, times that point's workers.
double speed_up(const std::vector<point>& all, const point& of);

/// The words of a line, each with its file, in the order of the alphabet: "mutex::state_".
std::string words_of(const testing::hot_line& line, sources& from);

/// That it is a simulation, of what, and how good.
std::string about(const simulated_machine& of);

/// A table for each workload, and its hottest lines with the most workers.
void print(const std::vector<point>& all, const simulated_machine& of, sources& from,
           std::size_t lines);

/// All of it for programs.
nlohmann::json everything(const std::vector<point>& all, const simulated_machine& of,
                          sources& from);

}  // namespace filch::scaling
