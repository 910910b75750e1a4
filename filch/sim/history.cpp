#include <filch/sim/history.hpp>

#include <algorithm>
#include <numeric>

namespace filch::inline v0_2::sim {

void forward(picture& shown, const step& each) {
  if (each.move) shown.forward(*each.move);
  for (const activity_change& change : each.changes) shown.forward(change);
}

void back(picture& shown, const step& each) {
  for (auto change = each.changes.rbegin(); change != each.changes.rend(); ++change)
    shown.back(*change);
  if (each.move) shown.back(*each.move);
}

double history::idle_share() const {
  const auto busy = std::accumulate(busy_ticks.begin(), busy_ticks.end(), std::uint64_t{0});
  const std::uint64_t all = makespan * busy_ticks.size();
  return all == 0 ? 0 : 1 - static_cast<double>(busy) / static_cast<double>(all);
}

std::uint64_t history::count(action what) const {
  return static_cast<std::uint64_t>(std::ranges::count(steps, what, &step::what));
}

}  // namespace filch::sim
