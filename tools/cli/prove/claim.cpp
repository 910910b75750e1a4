#include <tools/cli/prove/claim.hpp>

#include <array>

namespace filch::cli::prove {

std::span<const claim> all_claims() {
  static constexpr std::array claims{
      claim{"grain", "grain sizes to choose", no_grain_to_choose, "bench/run.py --problem skewed",
            true},
      claim{"small", "small work that is slower than a plain loop", small_work_costs_little,
            "bench/run.py --problem dispatch", true},
      claim{"idle", "idle threads that burn processor time", idle_workers_sleep,
            "bench/run.py --problem idle", true},
      claim{"waits", "waits that run unrelated work, and deadlock", waits_run_only_their_own,
            "./test -- -R ^waiting", false},
      claim{"callers", "threads that wait for a worker, and deadlock", callers_begin_at_once,
            "./test -- -R external_thread", false},
      claim{"exceptions", "loops that go on after an exception", exceptions_stop_a_loop,
            "./test -- -R failure", false},
      claim{"deadlines", "deadlines that nobody looks at while all compute", deadlines_hold,
            "./test -- -R with_timeout", true},
      claim{"pools", "two pools that fight for the processors", one_pool_for_all,
            "bench/run.py --problem mixed", true},
      claim{"limits", "limits of containers ignored", limits_are_kept, "./run info", false},
      claim{"width", "a width that sticks when the limits change", width_follows_both_ways,
            "./test -- -R follows_the_cpu_budget", true},
      claim{"reason", "no way to see why it does not scale", reasons_are_told,
            "./run analyze mergesort; ./run report --help", true},
      claim{"orders", "lock-free code to trust blindly", orders_are_checked, "./test -- -L model",
            false},
  };
  return claims;
}

}  // namespace filch::cli::prove
