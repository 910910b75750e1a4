#include <filch/topo/machine_sources.hpp>

#if defined(FILCH_HAS_HWLOC)
#include <hwloc.h>

#include <memory>
#include <utility>
#include <vector>

namespace filch::inline v0_2::topo {
namespace {

struct destroy_topology {
  void operator()(hwloc_topology_t topology) const noexcept { hwloc_topology_destroy(topology); }
};
using topology = std::unique_ptr<hwloc_topology, destroy_topology>;

/// Includes online CPUs outside the cpuset of this process, as /sys does: the budget says what may
/// be used.
topology load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    return nullptr;
  }
  topology loaded{raw};
  const bool ready = hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
                     hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE) == 0 &&
                     hwloc_topology_load(raw) == 0;
  return ready ? std::move(loaded) : nullptr;
}

hwloc_obj_t above(hwloc_topology_t from, hwloc_obj_t unit, hwloc_obj_type_t type) {
  return hwloc_get_ancestor_obj_by_type(from, type, unit);
}

unsigned number_or(hwloc_obj_t object, unsigned otherwise) {
  return object != nullptr ? object->logical_index : otherwise;
}

/// Numbers of caches and cores must not collide if some CPUs have an L3 and others only an L2 or
/// neither.
unsigned cache_number(hwloc_topology_t from, hwloc_obj_t unit, unsigned core) {
  const hwloc_obj_t l3 = above(from, unit, HWLOC_OBJ_L3CACHE);
  const hwloc_obj_t l2 = above(from, unit, HWLOC_OBJ_L2CACHE);
  return l3 != nullptr   ? l3->logical_index * 3
         : l2 != nullptr ? l2->logical_index * 3 + 1
                         : core * 3 + 2;
}

cpu to_cpu(hwloc_topology_t from, hwloc_obj_t unit) {
  const unsigned core = number_or(above(from, unit, HWLOC_OBJ_CORE), unit->logical_index);
  const int node = unit->nodeset != nullptr ? hwloc_bitmap_first(unit->nodeset) : -1;
  return {.os_index = unit->os_index,
          .core = core,
          .cache = cache_number(from, unit, core),
          .numa_node = node < 0 ? 0 : static_cast<unsigned>(node),
          .package = number_or(above(from, unit, HWLOC_OBJ_PACKAGE), 0)};
}

std::size_t bytes_of(hwloc_obj_t cache) {
  return cache != nullptr ? static_cast<std::size_t>(cache->attr->cache.size) : 0;
}

cache_sizes sizes_above(hwloc_topology_t from, hwloc_obj_t unit) {
  return {.l1_data_bytes = bytes_of(above(from, unit, HWLOC_OBJ_L1CACHE)),
          .l2_bytes = bytes_of(above(from, unit, HWLOC_OBJ_L2CACHE)),
          .l3_bytes = bytes_of(above(from, unit, HWLOC_OBJ_L3CACHE))};
}

}  // namespace

bool has_hwloc() noexcept { return true; }

std::optional<machine> read_hwloc() {
  const topology loaded = load_topology();
  if (!loaded) {
    return std::nullopt;
  }
  std::vector<cpu> cpus;
  hwloc_obj_t first = nullptr;
  for (hwloc_obj_t unit = nullptr;
       (unit = hwloc_get_next_obj_by_type(loaded.get(), HWLOC_OBJ_PU, unit)) != nullptr;) {
    cpus.push_back(to_cpu(loaded.get(), unit));
    first = first == nullptr || unit->os_index < first->os_index ? unit : first;
  }
  if (first == nullptr) {
    return std::nullopt;
  }
  return machine{std::move(cpus), sizes_above(loaded.get(), first), "hwloc"};
}

}  // namespace filch::topo

#else

namespace filch::inline v0_2::topo {

bool has_hwloc() noexcept { return false; }
std::optional<machine> read_hwloc() { return std::nullopt; }

}  // namespace filch::topo

#endif
