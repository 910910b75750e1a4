#include <filch/topo/placement.hpp>

#include <gtest/gtest.h>

#include <set>

namespace filch::inline v0_2::topo {
namespace {

using cpus = std::vector<unsigned>;

/// Two packages of one node each, two caches a node, two cores a cache, two threads a core.
/// Numbered as Linux does on x86-64: first the first threads of all cores (0 to 7), then the second
/// ones (8 to 15).
machine two_packages() {
  std::vector<cpu> all;
  for (unsigned index = 0; index < 16; ++index) {
    const unsigned core = index % 8;
    all.push_back({.os_index = index,
                   .core = core,
                   .cache = core / 2,
                   .numa_node = core / 4,
                   .package = core / 4});
  }
  return {all, {}, "test"};
}

TEST(placement, none_pins_nobody) {
  EXPECT_EQ(placement(two_packages(), pinning::none, 4), cpus{});
}

TEST(placement, compact_fills_a_cache_before_the_next) {
  EXPECT_EQ(placement(two_packages(), pinning::compact, 4), (cpus{0, 1, 2, 3}));
}

TEST(placement, compact_gives_every_core_one_worker_before_a_second) {
  EXPECT_EQ(placement(two_packages(), pinning::compact, 10), (cpus{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(placement, spread_takes_packages_then_caches_then_cores_in_turn) {
  EXPECT_EQ(placement(two_packages(), pinning::spread, 8), (cpus{0, 4, 2, 6, 1, 5, 3, 7}));
}

TEST(placement, spread_gives_every_core_one_worker_before_a_second) {
  EXPECT_EQ(placement(two_packages(), pinning::spread, 10), (cpus{0, 4, 2, 6, 1, 5, 3, 7, 8, 12}));
}

TEST(placement, spread_takes_the_nodes_of_a_package_in_turn) {
  std::vector<cpu> all;
  for (unsigned index = 0; index < 4; ++index) {
    all.push_back({.os_index = index, .core = index, .cache = index / 2, .numa_node = index / 2});
  }
  EXPECT_EQ(placement({all, {}, "test"}, pinning::spread, 4), (cpus{0, 2, 1, 3}));
}

TEST(placement, more_workers_than_cpus_begin_again) {
  const machine small = two_packages().only(cpus{3, 5});
  EXPECT_EQ(placement(small, pinning::compact, 5), (cpus{3, 5, 3, 5, 3}));
}

TEST(placement, nobody_is_placed_outside_the_allowed_cpus) {
  EXPECT_EQ(placement(two_packages().only(cpus{1, 9, 12}), pinning::spread, 3), (cpus{1, 12, 9}));
}

TEST(placement, as_many_workers_as_cpus_take_every_cpu_once) {
  for (const pinning kind : {pinning::compact, pinning::spread}) {
    const cpus chosen = placement(two_packages(), kind, 16);
    EXPECT_EQ(std::set<unsigned>(chosen.begin(), chosen.end()).size(), 16u);
  }
}

TEST(placement, an_empty_machine_places_nobody) {
  EXPECT_EQ(placement(two_packages().only(cpus{99}), pinning::compact, 2), cpus{});
}

}  // namespace
}  // namespace filch::topo
