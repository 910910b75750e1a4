#include <filch/topo/placement.hpp>

#include <algorithm>
#include <array>

namespace filch::inline v0_2::topo {
namespace {

/// The position of a CPU: its number in its core, the core's in its cache, and so on outwards.
struct rank {
  unsigned thread = 0, core = 0, cache = 0, node = 0, package = 0;
  unsigned os_index = 0;
};

using sort_key = std::array<unsigned, 5>;

sort_key outside_in(const cpu& each) {
  return {each.package, each.numa_node, each.cache, each.core, each.os_index};
}

/// The rank of the CPU after `last` in `outside_in` order: the outermost number that differs is
/// incremented, and those inside it restart.
rank next_rank(const rank& r, const cpu& last, const cpu& next) {
  if (next.package != last.package) {
    return {.package = r.package + 1, .os_index = next.os_index};
  }
  if (next.numa_node != last.numa_node) {
    return {.node = r.node + 1, .package = r.package, .os_index = next.os_index};
  }
  if (next.cache != last.cache) {
    return {.cache = r.cache + 1, .node = r.node, .package = r.package, .os_index = next.os_index};
  }
  if (next.core != last.core) {
    return {.core = r.core + 1,
            .cache = r.cache,
            .node = r.node,
            .package = r.package,
            .os_index = next.os_index};
  }
  return {r.thread + 1, r.core, r.cache, r.node, r.package, next.os_index};
}

std::vector<rank> ranks_of(const machine& machine) {
  std::vector<cpu> cpus{machine.cpus().begin(), machine.cpus().end()};
  std::ranges::sort(cpus, {}, outside_in);
  std::vector<rank> ranks{{.os_index = cpus.front().os_index}};
  for (std::size_t i = 1; i < cpus.size(); ++i) {
    ranks.push_back(next_rank(ranks.back(), cpus[i - 1], cpus[i]));
  }
  return ranks;
}

sort_key compact_key(const rank& r) { return {r.thread, r.package, r.node, r.cache, r.core}; }

/// Innermost first: inner numbers stay as long as an outer one can change, so neighbors in this
/// order are far apart.
sort_key spread_key(const rank& r) { return {r.thread, r.core, r.cache, r.node, r.package}; }

}  // namespace

std::vector<unsigned> placement(const machine& machine, pinning kind, unsigned worker_count) {
  if (kind == pinning::none || machine.cpus().empty()) {
    return {};
  }
  std::vector<rank> order = ranks_of(machine);
  std::ranges::sort(order, {}, kind == pinning::compact ? compact_key : spread_key);
  std::vector<unsigned> chosen;
  for (std::size_t worker = 0; worker < worker_count; ++worker) {
    chosen.push_back(order[worker % order.size()].os_index);
  }
  return chosen;
}

}  // namespace filch::topo
