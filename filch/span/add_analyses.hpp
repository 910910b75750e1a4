#pragma once
#include <filch/event/analysis.hpp>

namespace filch::inline v0_2::span {

/// Adds a run that began after the others had ended: work and span add up.
void add_behind(analysis::result& to, const analysis::result& what);
/// Adds a run that could run beside the others: work adds up, and the longest span counts.
void add_beside(analysis::result& to, const analysis::result& what);

}  // namespace filch::span
