#pragma once
// The explorer as a checker of scenarios.
#include <filch/base/cache_line.hpp>
#include <filch/testing/model/explorer_sync.hpp>
#include <filch/testing/model/verdict.hpp>

#include <new>

namespace filch::inline v0_2::testing {

inline constexpr checker present_checker = checker::explorer;

/// Searches the scenario that `build` builds. For a break it tries few preemptions first, since
/// most faults need few.
verdict check(scenario_builder build, unsigned thread_count, search_limits limits,
              search_goal goal);

template <class Scenario>
verdict check(search_goal goal) {
  static_assert(sizeof(Scenario) <= scenario_bytes && alignof(Scenario) <= base::cache_line_bytes);
  const auto build = [](void* place) -> scenario_steps* { return ::new (place) Scenario; };
  search_limits limits;
  limits.preemptions = Scenario::preemption_bound;
  limits.allocations_fail = Scenario::allocations_fail;
  return check(build, Scenario::thread_count, limits, goal);
}

}  // namespace filch::testing
