#pragma once
#include <filch/event/analysis.hpp>

namespace filch::span {

/// Adds a run that began after the others had ended: work and span add up.
void add_behind(analysis& to, const analysis& what);
/// Adds a run that could run beside the others: work adds up, and the longest span counts.
void add_beside(analysis& to, const analysis& what);

}  // namespace filch::span
