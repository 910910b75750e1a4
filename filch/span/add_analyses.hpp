#pragma once
#include <filch/event/analysis.hpp>

namespace filch::span {

/// Adds a run that came behind the others, and began when they were over: work and span add up.
void add_behind(analysis& to, const analysis& what);
/// Adds a run that had nothing to wait for in the others: work adds up, and the longest span is
/// that of all.
void add_beside(analysis& to, const analysis& what);

}  // namespace filch::span
