#pragma once
#include <filch/event/analysis.hpp>

namespace filch::inline v0_2::span {

/// Finds the names of sites of this process, as recordings have them.
void name_sites(std::vector<analysis::site>& sites);

}  // namespace filch::span
