#pragma once
#include <filch/sim/scheduler.hpp>

#include <string>
#include <vector>

namespace filch::inline v0_2::sim {

/// Calls `check` for every computation under every scheduler, with several numbers of workers and
/// several seeds.
template <class Check>
void for_all_schedules(Check check) {
  for (const computation& what : {balanced_tree(5, 6), skewed_tree(16, 6), growing_loop(16),
                                  fork_join_function(), balanced_tree(1, 3)}) {
    for (const discipline_text& each : disciplines()) {
      for (const std::uint32_t workers : {1u, 2u, 4u, 7u}) {
        for (std::uint64_t seed = 1; seed <= 5; ++seed)
          check(what, each.which, workers, simulate(what, each.which, workers, seed));
      }
    }
  }
}

}  // namespace filch::sim
