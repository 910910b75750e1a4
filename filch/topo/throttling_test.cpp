#include <filch/topo/throttling.hpp>

#include <filch/topo/fake_tree_test.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

namespace filch::inline v0_2::topo {
namespace {

TEST(throttling, of_a_process_is_what_its_group_and_their_ancestors_count) {
  const fake_tree tree;
  tree.write("/proc/7/cgroup", "0::/above/own\n");
  tree.write("/proc/7/mountinfo", "30 22 0:26 / /cg rw - cgroup2 cgroup2 rw\n");
  tree.write("/proc/7/root/cg/above/own/cpu.stat",
             "usage_usec 5000\nnr_throttled 2\nthrottled_usec 40\n");
  tree.write("/proc/7/root/cg/above/cpu.stat",
             "usage_usec 5000\nnr_throttled 1\nthrottled_usec 2\n");
  tree.write("/proc/7/root/cg/cpu.stat", "usage_usec 5000\n");
  tree.write("/cg/above/own/cpu.stat", "throttled_usec 999999\n");
  EXPECT_EQ(throttled_ns(7, tree.root()), 42'000u)
      << "in its own root, where we may have another group of that name";
}

TEST(throttling, is_counted_by_v1_in_nanoseconds_beside_the_quota) {
  const fake_tree tree;
  tree.write("/proc/7/cgroup", "4:cpu:/box\n3:cpuset:/box\n");
  tree.write("/proc/7/mountinfo",
             "31 22 0:27 / /cpu rw - cgroup cgroup rw,cpu\n32 22 0:28 / /cpuset rw - cgroup cgroup "
             "rw,cpuset\n");
  tree.write("/proc/7/root/cpu/box/cpu.stat",
             "nr_periods 66\nnr_throttled 60\nthrottled_time 1554865019\n");
  tree.write("/proc/7/root/cpuset/box/cpu.stat", "throttled_time 5\n");
  EXPECT_EQ(throttled_ns(7, tree.root()), 1'554'865'019u);
}

TEST(throttling, of_nobody_is_none) { EXPECT_EQ(throttled_ns(7, fake_tree{}.root()), 0u); }

TEST(throttling, of_ourselves_only_grows) {
  const std::uint64_t before = throttled_ns(::getpid());
  EXPECT_GE(throttled_ns(::getpid()), before);
}

}  // namespace
}  // namespace filch::topo
