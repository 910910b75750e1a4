#include <filch/sched/worker/neighbourhood.hpp>

#include <filch/base/panic.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace filch::inline v0_2::sched {
namespace {

std::vector<topo::cpu> homes_of(const topo::machine& of, std::span<const unsigned> cpus) {
  std::vector<topo::cpu> homes;
  for (const unsigned os_index : cpus) {
    const topo::cpu* const home = of.find(os_index);
    FILCH_ASSERT(home != nullptr, "a worker is pinned to a CPU of this machine", os_index);
    homes.push_back(*home);
  }
  return homes;
}

}  // namespace

neighbourhood::neighbourhood(const topo::machine& of, std::span<const unsigned> cpus)
    : order_(cpus.size()), places_(cpus.size()) {
  const std::vector<topo::cpu> homes = homes_of(of, cpus);
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple{homes[a].numa_node, homes[a].cache, a} <
           std::tuple{homes[b].numa_node, homes[b].cache, b};
  });
  const auto begin_at = [&](std::uint32_t first, auto belongs) {
    std::uint32_t end = first + 1;
    while (end < order_.size() && belongs(homes[order_[first]], homes[order_[end]])) ++end;
    return range{first, end - first};
  };
  range cache{0, 0}, node{0, 0};
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    if (i == node.end())
      node = begin_at(i, [](const auto& a, const auto& b) { return a.numa_node == b.numa_node; });
    if (i == cache.end())
      cache = begin_at(i, [](const auto& a, const auto& b) {
        return a.numa_node == b.numa_node && a.cache == b.cache;
      });
    places_[order_[i]] = {i, cache, node};
  }
}

std::uint32_t neighbourhood::draw(std::uint32_t worker, policy::reach within,
                                  std::uint64_t random) const noexcept {
  if (places_.empty() || within == policy::reach::anywhere) return policy::nobody;
  const place& here = places_[worker % places_.size()];
  const range& all = within == policy::reach::cache ? here.cache : here.node;
  if (all.count == 1) return policy::nobody;
  const std::uint32_t position = all.first + base::below(random, all.count - 1);
  return order_[position < here.position ? position : position + 1];  // itself is passed over
}

}  // namespace filch::sched
