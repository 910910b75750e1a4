#include <filch/testing/model/explorer.hpp>

#include <filch/base/long_stress.hpp>

#include <algorithm>

namespace filch::inline v0_2::testing {

namespace {

std::string extent_of(search_end end, const search_limits& limits) {
  switch (end) {
    case search_end::complete: return "COMPLETE";
    case search_end::out_of_preemptions:
      return "complete up to " + std::to_string(limits.preemptions) + " preemptions";
    case search_end::out_of_states:
      return "bounded by " + std::to_string(limits.states) + " states";
    case search_end::broken: break;
  }
  return "until it broke";
}

}  // namespace

verdict check(scenario_builder build, unsigned thread_count, search_limits limits,
              search_goal goal) {
  verdict sum;
  if (base::is_long_run()) limits.preemptions = search_limits::unbounded;
  search_limits now = limits;
  constexpr unsigned few = 3;
  for (now.preemptions = goal == search_goal::a_break ? 0 : limits.preemptions;;
       ++now.preemptions) {
    now.preemptions =
        now.preemptions > few ? limits.preemptions : std::min(now.preemptions, limits.preemptions);
    const search_result found = search(build, thread_count, now);
    sum.is_broken = found.end == search_end::broken;
    sum.is_complete = found.end == search_end::complete;
    sum.execution_count += found.execution_count;
    sum.state_count = std::max(sum.state_count, found.state_count);
    sum.extent = extent_of(found.end, now);
    sum.history = found.history;
    if (sum.is_broken || sum.is_complete || now.preemptions == limits.preemptions) return sum;
  }
}

}  // namespace filch::testing
