#include <filch/span/serial_part.hpp>

#include <filch/span/overlay.hpp>

#include <algorithm>
#include <vector>

namespace filch::inline v0_2::span {
namespace {

/// The idle time of slots while no job of a known site ran, by the site whose job began next; the
/// last one, if none did.
std::vector<std::int64_t> idle_before_sites(const timeline& from, std::size_t site_count) {
  std::vector<std::int64_t> made(site_count);
  std::vector<const job*> jobs;
  for (const job& each : from.jobs) {
    if (each.site != 0) jobs.push_back(&each);
  }
  if (jobs.empty()) return made;
  std::size_t next = 0;
  for_each_moment(
      from, [&](time_range when, const std::vector<const interval*>& held, const vacancy& free) {
        while (next + 1 < jobs.size() && jobs[next]->when.begin_ns < when.end_ns) ++next;
        const auto runs_site = [](const interval* s) {
          return s->what == state::working && s->site != 0;
        };
        if (std::ranges::any_of(held, runs_site)) return;
        const std::int64_t idle = free.neglected + free.woken_for + free.starved;
        made[jobs[next]->site] += idle * when.length_ns();
      });
  return made;
}

}  // namespace

serial_part find_serial_part(const observation& seen) {
  const std::vector<std::int64_t>& inside = seen.idleness.of_site_ns;
  const std::vector<std::int64_t> before = idle_before_sites(seen.laid_out, inside.size());
  serial_part made;
  std::int64_t most_ns = 0;
  for (std::size_t i = 1; i < inside.size(); ++i) {
    if (inside[i] > most_ns) {
      most_ns = inside[i];
      made = {static_cast<std::uint32_t>(i), false};
    }
    if (before[i] > most_ns) {
      most_ns = before[i];
      made = {static_cast<std::uint32_t>(i), true};
    }
  }
  return made;
}

}  // namespace filch::span
