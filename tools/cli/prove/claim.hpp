#pragma once
// What hurts with other runtimes, and a way to try it here and now.
#include <span>
#include <string>

namespace filch::cli::prove {

/// What trying found.
struct proof {
  bool holds = false;
  std::string shown;  ///< A sentence or two with what was measured or counted.
};

struct claim {
  const char* name;
  const char* pain;  ///< What others have. Reads on after "gone: ".
  proof (*try_it)();
  const char* at_length;  ///< The command that shows the same in full.
  bool by_the_clock;      ///< Depends on how quiet the machine is.
};

proof no_grain_to_choose();
proof small_work_costs_little();
proof idle_workers_sleep();
proof waits_run_only_their_own();
proof callers_begin_at_once();
proof exceptions_stop_a_loop();
proof deadlines_hold();
proof one_pool_for_all();
proof limits_are_kept();
proof width_follows_both_ways();
proof reasons_are_told();
proof orders_are_checked();

/// In the order in which they are shown.
std::span<const claim> all_claims();

}  // namespace filch::cli::prove
