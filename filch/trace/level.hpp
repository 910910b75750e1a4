#pragma once
#include <filch/base/language.hpp>

namespace filch {

/// How much a recording holds.
enum class trace_level : unsigned char {
  /// What workers do for each other: steals, parks, wakes, exposures, hand-overs. An unstolen fork
  /// costs what it always does.
  steal,
  /// Every job besides, with its call site: also the sides of forks that nobody stole, each for
  /// about 17 ns. Of more than 25,000 a second the long ones are told, and samples of the others.
  jobs,
  /// As `steal`, and besides work, span and call sites of the program's roots, the calls by which
  /// its threads enter pools. These run serially meanwhile, each on its own thread.
  span,
};

}  // namespace filch
