#include <filch/span/idle_attribution.hpp>

#include <filch/span/overlay.hpp>

#include <numeric>

namespace filch::inline v0_2::span {

std::int64_t idle_attribution::total_ns() const noexcept {
  return std::accumulate(of_site_ns.begin(), of_site_ns.end(), nobodys_ns);
}

idle_attribution attribute_idleness(const timeline& from, std::size_t site_count) {
  idle_attribution made;
  made.of_site_ns.resize(site_count);
  std::vector<std::uint32_t> busy;
  for_each_moment(
      from, [&](time_range when, const std::vector<const interval*>& held, const vacancy& free) {
        std::int64_t idle = free.neglected + free.woken_for + free.starved;
        busy.clear();
        for (const interval* s : held) {
          if (s->what == state::working) busy.push_back(s->site);
          idle += s->what == state::searching || s->what == state::stealing;
        }
        idle *= when.length_ns();
        if (busy.empty()) {
          made.nobodys_ns += idle;
          return;
        }
        const auto count = static_cast<std::int64_t>(busy.size());
        for (std::int64_t i = 0; i < count; ++i) {
          made.of_site_ns[busy[static_cast<std::size_t>(i)]] += idle / count + (i < idle % count);
        }
      });
  return made;
}

}  // namespace filch::span
