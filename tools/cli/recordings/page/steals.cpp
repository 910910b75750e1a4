#include <tools/cli/recordings/page/steals.hpp>

#include <utility>

namespace filch::cli {

std::vector<steal> steals_of(const event::recording& from, std::uint32_t pool) {
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<steal> made;
  std::vector<std::size_t> won_last(from.workers.size(), none);
  for (const event::entry& each : from.entries) {
    const event::recorded_worker& who = from.workers[each.worker];
    if (who.pool != pool) continue;
    if (each.what.what == event::kind::steal_won && each.what.other != event::record::nobody) {
      won_last[each.worker] = made.size();
      made.push_back({each.at_ns, who.index, each.what.other, 0});
    } else if (each.what.what == event::kind::job_run) {
      const std::size_t won = std::exchange(won_last[each.worker], none);
      if (won != none) made[won].site = each.what.amount;
    }
  }
  return made;
}

}  // namespace filch::cli
