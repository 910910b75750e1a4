#include <filch/topo/cgroup_locate.hpp>

#include <gtest/gtest.h>

namespace filch::inline v0_2::topo {
namespace {

using paths = std::vector<std::string>;

paths paths_of(const cgroup_search& search) {
  paths result;
  for (const cgroup_directory& group : search.directories) {
    result.push_back(group.path);
  }
  return result;
}

std::string v2_mount(const std::string& root, const std::string& mount_point = "/cg") {
  return "30 22 0:26 " + root + " " + mount_point + " rw - cgroup2 cgroup2 rw\n";
}

std::string v1_mount(const std::string& controllers, const std::string& root,
                     const std::string& mount_point) {
  return "31 22 0:27 " + root + " " + mount_point + " rw - cgroup cgroup rw," + controllers + "\n";
}

TEST(cgroup_locate, own_group_comes_first_and_the_mount_point_last) {
  const auto search = locate_cgroups("0::/a/b\n", v2_mount("/"));
  EXPECT_EQ(paths_of(search), (paths{"/cg/a/b", "/cg/a", "/cg"}));
  EXPECT_TRUE(search.problems.empty());
}

TEST(cgroup_locate, the_root_group_is_the_mount_point) {
  EXPECT_EQ(paths_of(locate_cgroups("0::/\n", v2_mount("/"))), paths{"/cg"});
}

TEST(cgroup_locate, a_mount_of_a_part_shows_only_what_is_below_its_root) {
  EXPECT_EQ(paths_of(locate_cgroups("0::/docker/box/job\n", v2_mount("/docker/box"))),
            (paths{"/cg/job", "/cg"}));
  EXPECT_EQ(paths_of(locate_cgroups("0::/docker/box\n", v2_mount("/docker/box"))), paths{"/cg"});
}

TEST(cgroup_locate, a_root_is_a_prefix_by_whole_names_only) {
  const auto search = locate_cgroups("0::/docker/box2\n", v2_mount("/docker/box"));
  EXPECT_EQ(paths_of(search), paths{"/cg"});
  EXPECT_EQ(search.problems.size(), 1u);
}

TEST(cgroup_locate, of_several_mounts_the_one_with_most_ancestors_is_taken) {
  const std::string narrow = v2_mount("/a/b", "/narrow"), wide = v2_mount("/", "/wide");
  const paths expected{"/wide/a/b", "/wide/a", "/wide"};
  EXPECT_EQ(paths_of(locate_cgroups("0::/a/b\n", narrow + wide)), expected);
  EXPECT_EQ(paths_of(locate_cgroups("0::/a/b\n", wide + narrow)), expected);
}

TEST(cgroup_locate, a_mount_that_does_not_show_the_group_yields_to_one_that_does) {
  EXPECT_EQ(
      paths_of(locate_cgroups("0::/a\n", v2_mount("/a", "/right") + v2_mount("/b", "/wrong"))),
      paths{"/right"});
}

TEST(cgroup_locate, v1_controllers_are_found_in_co_mounted_hierarchies) {
  const auto search = locate_cgroups(
      "4:cpu,cpuacct:/x\n3:cpuset:/y\n",
      v1_mount("cpuacct,cpu", "/", "/cg/cpu,cpuacct") + v1_mount("cpuset", "/", "/cg/cpuset"));
  EXPECT_EQ(paths_of(search),
            (paths{"/cg/cpu,cpuacct/x", "/cg/cpu,cpuacct", "/cg/cpuset/y", "/cg/cpuset"}));
  EXPECT_EQ(search.directories[0].files, cgroup_files::v1_cpu);
  EXPECT_EQ(search.directories[2].files, cgroup_files::v1_cpuset);
}

TEST(cgroup_locate, cpuacct_and_cpuset_are_not_mistaken_for_cpu) {
  EXPECT_TRUE(locate_cgroups("4:cpuacct:/x\n", v1_mount("cpuacct", "/", "/cg/cpuacct"))
                  .directories.empty());
}

TEST(cgroup_locate, one_v1_hierarchy_may_hold_both_controllers) {
  const auto search = locate_cgroups("4:cpuset,cpu:/\n", v1_mount("cpuset,cpu", "/", "/cg/all"));
  EXPECT_EQ(paths_of(search), (paths{"/cg/all", "/cg/all"}));
}

TEST(cgroup_locate, hybrid_systems_are_followed_in_both_versions) {
  const auto search = locate_cgroups(
      "1:cpu:/x\n0::/y\n", v1_mount("cpu", "/", "/cg/cpu") + v2_mount("/", "/cg/unified"));
  EXPECT_EQ(paths_of(search), (paths{"/cg/unified/y", "/cg/unified", "/cg/cpu/x", "/cg/cpu"}));
}

TEST(cgroup_locate, a_mount_from_outside_the_namespace_is_read_as_an_ancestor) {
  const auto search = locate_cgroups("0::/\n", v2_mount("/../.."));
  EXPECT_EQ(paths_of(search), paths{"/cg"});
  ASSERT_EQ(search.problems.size(), 1u);
  EXPECT_NE(search.problems[0].reason.find("/../.."), std::string::npos);
}

TEST(cgroup_locate, a_group_beside_the_namespace_is_found_below_a_mount_that_shows_it) {
  EXPECT_EQ(paths_of(locate_cgroups("0::/../x/y\n", v2_mount("/.."))),
            (paths{"/cg/x/y", "/cg/x", "/cg"}));
}

TEST(cgroup_locate, a_group_outside_the_namespace_is_not_bound_by_what_is_inside) {
  const auto search = locate_cgroups("0::/../x\n", v2_mount("/"));
  EXPECT_TRUE(search.directories.empty());
  EXPECT_EQ(search.problems.size(), 1u);
}

TEST(cgroup_locate, hierarchies_that_are_not_mounted_are_named) {
  const auto search = locate_cgroups("1:cpu:/x\n", "");
  ASSERT_EQ(search.problems.size(), 1u);
  EXPECT_EQ(search.problems[0].source, "cgroup v1 controller cpu");
}

TEST(cgroup_locate, malformed_lines_are_named_with_their_file) {
  const auto search = locate_cgroups("rubbish\n", "nonsense\n");
  ASSERT_EQ(search.problems.size(), 2u);
  EXPECT_EQ(search.problems[0], (budget_problem{"/proc/self/cgroup", "malformed line: rubbish"}));
  EXPECT_EQ(search.problems[1],
            (budget_problem{"/proc/self/mountinfo", "malformed line: nonsense"}));
}

}  // namespace
}  // namespace filch::topo
