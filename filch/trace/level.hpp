#pragma once
#include <filch/base/language.hpp>

namespace filch::inline v0_2 {

/// How much a recording holds.
enum class trace_level : unsigned char {
  /// What workers do for each other: steals, parks, wakes, exposures, hand-overs. An unstolen fork
  /// costs nothing more.
  steal,
  /// Also every job with its call site, including sides of forks that were not stolen: about 17 ns
  /// for each. Of more than 25,000 a second the long ones are recorded, and samples of the others.
  jobs,
  /// As `steal`, and also work, span and call sites of the program's roots: the calls by which its
  /// threads enter pools. These run serially meanwhile, each on its own thread.
  span,
};

}  // namespace filch
