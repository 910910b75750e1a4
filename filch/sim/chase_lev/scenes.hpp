#pragma once
#include <filch/sim/chase_lev/duel.hpp>

namespace filch::inline v0_2::sim::chase_lev {

struct frame {
  event what;
  /// The position of the thread; for an early load, the line of that load.
  std::size_t call_index, line_index;
  std::string sentence;
  moment after;
};

/// A duel and one possible order of its events.
struct scene {
  std::string_view id, title, about;
  duel rules_and_calls;
  std::vector<frame> frames;
  std::string fault;           ///< What is wrong at the end, if anything.
  exploration everything;      ///< All that can happen in this duel,
  exploration with_all_rules;  ///< and if nothing is left out of the algorithm, with late stores.
};

/// Finds all scenes by search.
std::vector<scene> scenes();

}  // namespace filch::sim::chase_lev
