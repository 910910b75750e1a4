#include <filch/span/lacking_processors.hpp>

#include <filch/span/overlay.hpp>

#include <algorithm>

namespace filch::inline v0_2::span {
namespace {

/// The mean share of run delay in the work of some workers.
double delayed_share(const std::vector<const interval*>& held) {
  double sum = 0, count = 0;
  for (const interval* each : held) {
    if (each->what != state::working || each->when.length_ns() == 0) continue;
    sum += static_cast<double>(each->run_delay_ns) / static_cast<double>(each->when.length_ns());
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

}  // namespace

lacking_processors find_lack(const timeline& from, std::uint64_t processors) {
  lacking_processors made;
  const std::uint64_t usable =
      processors == 0 ? from.slot_count : std::min<std::uint64_t>(from.slot_count, processors);
  const auto surplus = static_cast<std::int64_t>(from.slot_count - usable);
  std::int64_t left_ns = 0;
  for_each_moment(
      from, [&](time_range when, const std::vector<const interval*>& held, const vacancy& free) {
        const auto is_idle = [](const interval* s) {
          return s->what == state::searching || s->what == state::stealing;
        };
        const std::int64_t idle =
            free.neglected + free.woken_for + free.starved + std::ranges::count_if(held, is_idle);
        const std::int64_t length_ns = when.length_ns(), beyond = std::min(idle, surplus);
        const auto for_others = static_cast<std::int64_t>(
            static_cast<double>((idle - beyond) * length_ns) * delayed_share(held));
        made.for_slots_ns += beyond * length_ns;
        made.for_others_ns += for_others;
        left_ns += (idle - beyond) * length_ns - for_others;
      });
  made.for_woken_ns = std::clamp<std::int64_t>(from.delay_without_slot_ns, 0, left_ns);
  return made;
}

}  // namespace filch::span
