#include <gtest/gtest.h>
#include <tools/cli/machine/measure.hpp>

namespace filch::cli {
namespace {

topo::machine of_cpus(std::vector<topo::cpu> cpus) { return {std::move(cpus), {}, "a test"}; }

TEST(samples, only_undisturbed_ones_count) {
  samples some;
  for (const double each : {3.0, 1.0, 2.0}) some.add(each);
  some.add(1000, true);
  EXPECT_EQ(some.median(), 2);
  EXPECT_EQ(some.quantile(0), 1);
  EXPECT_EQ(some.quantile(1), 3);
  EXPECT_EQ(some.kept(), 3U);
  EXPECT_EQ(some.seen(), 4U);
}

TEST(samples, none_that_counts_is_0) {
  samples none;
  none.add(5, true);
  EXPECT_EQ(none.median(), 0);
}

TEST(core_layout, counts_cores_and_not_hardware_threads) {
  std::vector<topo::cpu> cpus;
  for (unsigned core = 0; core < 8; ++core) {
    for (unsigned i = 0; i < 2; ++i) cpus.push_back({core * 2 + i, core, core / 2, core / 4, 0});
  }
  const core_layout layout{of_cpus(cpus)};
  EXPECT_EQ(layout.nodes, 2U);
  EXPECT_EQ(layout.caches_per_node, 2U);
  EXPECT_EQ(layout.cores_per_cache, 2U);
  EXPECT_TRUE(layout.is_regular);
  EXPECT_EQ(layout.cores.size(), 8U);
  EXPECT_EQ(layout.first_node, (std::vector<unsigned>{0, 2, 4, 6}));
}

TEST(core_layout, says_when_not_all_caches_are_alike) {
  const core_layout layout{of_cpus({{0, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {2, 2, 1, 0, 0}})};
  EXPECT_EQ(layout.nodes, 1U);
  EXPECT_EQ(layout.caches_per_node, 2U);
  EXPECT_EQ(layout.cores_per_cache, 1U);
  EXPECT_FALSE(layout.is_regular);
}

}  // namespace
}  // namespace filch::cli
