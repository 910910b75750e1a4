#include <tools/cli/recordings/page/depths.hpp>

#include <algorithm>
#include <map>

namespace filch::cli {

std::vector<depths> depths_of(const event::recording& from, std::uint32_t pool) {
  std::map<std::uint32_t, std::uint32_t> by_index;
  for (std::uint32_t i = 0; i < from.workers.size(); ++i) {
    if (from.workers[i].pool == pool) by_index.emplace(from.workers[i].index, i);
  }
  std::vector<depths> made(from.workers.size());
  for (const event::entry& each : from.entries) {
    const event::record& said = each.what;
    if (from.workers[each.worker].pool != pool || !event::tells_takeable(said.what) ||
        said.amount == 0)
      continue;
    const auto victim = by_index.find(said.other);
    if (said.what == event::kind::state_changed) {
      made[each.worker].push_back({each.at_ns, said.amount - 1});
    } else if (victim != by_index.end()) {
      made[victim->second].push_back({each.at_ns, said.amount - 1});
    }
  }
  return made;
}

std::vector<std::uint32_t> most_by_part(const depths& seen, const grid& by) {
  std::vector<std::uint32_t> made(by.parts());
  for (const depth& each : seen) {
    if (made.empty()) break;
    const auto part = std::min(static_cast<std::size_t>(each.at_ns / by.part_ns), made.size() - 1);
    made[part] = std::max(made[part], each.jobs + 1);
  }
  return made;
}

}  // namespace filch::cli
