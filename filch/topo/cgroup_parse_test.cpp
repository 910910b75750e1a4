#include <filch/topo/cgroup_parse.hpp>

#include <gtest/gtest.h>

namespace filch::inline v0_2::topo {
namespace {

using names = std::vector<std::string>;

TEST(cgroup_parse, cpu_max_holds_a_quota_and_a_period) {
  EXPECT_EQ(parse_cpu_max("150000 100000\n"), (cpu_quota{150'000, 100'000}));
  EXPECT_EQ(parse_cpu_max("max 100000\n"), (cpu_quota{std::nullopt, 100'000}));
  EXPECT_EQ(parse_cpu_max("18446744073709551615 1000\n"), (cpu_quota{~std::uint64_t{0}, 1'000}));
}

TEST(cgroup_parse, malformed_cpu_max_is_refused) {
  for (const char* text :
       {"", "\n", "max", "100000", "max x", "x 100000", "-1 100000", "100000 0", "0 100000",
        "1 2 3", "1.5 100000", "18446744073709551616 100000", "maximum 100000"}) {
    EXPECT_EQ(parse_cpu_max(text), std::nullopt) << text;
  }
}

TEST(cgroup_parse, a_negative_v1_quota_is_unlimited) {
  EXPECT_EQ(parse_cfs("-1\n", "100000\n"), (cpu_quota{std::nullopt, 100'000}));
  EXPECT_EQ(parse_cfs("250000\n", "100000\n"), (cpu_quota{250'000, 100'000}));
}

TEST(cgroup_parse, malformed_v1_quotas_are_refused) {
  EXPECT_EQ(parse_cfs("", "100000"), std::nullopt);
  EXPECT_EQ(parse_cfs("100000", ""), std::nullopt);
  EXPECT_EQ(parse_cfs("100000", "0"), std::nullopt);
  EXPECT_EQ(parse_cfs("0", "100000"), std::nullopt);
  EXPECT_EQ(parse_cfs("9223372036854775808", "100000"), std::nullopt);
}

TEST(cgroup_parse, throttling_is_read_from_both_versions) {
  EXPECT_EQ(parse_throttled_ns("usage_usec 9\nnr_throttled 3\nthrottled_usec 1500\nnr_bursts 0\n"),
            1'500'000u);
  EXPECT_EQ(parse_throttled_ns("nr_periods 66\nthrottled_time 1554865019\n"), 1'554'865'019u);
}

TEST(cgroup_parse, malformed_throttling_is_refused) {
  for (const char* text :
       {"", "usage_usec 9\n", "throttled_usec\n", "throttled_usec -1\n", "throttled_usec 1 2\n",
        "throttled_time x\n", "throttled_usec 18446744073709552\n"}) {
    EXPECT_EQ(parse_throttled_ns(text), std::nullopt) << text;
  }
}

TEST(cgroup_parse, memberships_of_both_versions_are_read) {
  const auto lines =
      parse_proc_cgroup("4:cpu,cpuacct:/box\n1:name=systemd:/a:b c\n0::/user.slice\n");
  ASSERT_EQ(lines.entries.size(), 3u);
  EXPECT_EQ(lines.entries[0].version, cgroup_version::v1);
  EXPECT_EQ(lines.entries[0].controllers, (names{"cpu", "cpuacct"}));
  EXPECT_EQ(lines.entries[1].path, "/a:b c") << "a path may hold colons and spaces";
  EXPECT_EQ(lines.entries[2].version, cgroup_version::v2);
  EXPECT_EQ(lines.entries[2].path, "/user.slice");
  EXPECT_TRUE(lines.malformed.empty());
}

TEST(cgroup_parse, malformed_memberships_are_listed_and_the_others_kept) {
  const auto lines = parse_proc_cgroup(
      "rubbish\n0:/x\n\n3:cpu:relative\nx:cpu:/y\n0:cpu:/z\n5::/w\n2:cpuset:/good\n");
  EXPECT_EQ(lines.malformed,
            (names{"rubbish", "0:/x", "", "3:cpu:relative", "x:cpu:/y", "0:cpu:/z", "5::/w"}));
  ASSERT_EQ(lines.entries.size(), 1u);
  EXPECT_EQ(lines.entries[0].path, "/good");
}

TEST(cgroup_parse, only_mounts_of_cgroups_are_kept) {
  const auto lines = parse_mountinfo(
      "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 master:2 - cgroup2 cgroup2 rw,nsdelegate\n"
      "31 22 0:27 /box /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
  EXPECT_TRUE(lines.malformed.empty());
  ASSERT_EQ(lines.entries.size(), 2u);
  EXPECT_EQ(lines.entries[0].version, cgroup_version::v2);
  EXPECT_EQ(lines.entries[0].mount_point, "/sys/fs/cgroup");
  EXPECT_EQ(lines.entries[1].version, cgroup_version::v1);
  EXPECT_EQ(lines.entries[1].root, "/box");
  EXPECT_EQ(lines.entries[1].controllers, (names{"rw", "cpu", "cpuacct"}));
}

TEST(cgroup_parse, octal_escapes_in_mounts_are_decoded) {
  const auto lines =
      parse_mountinfo("31 22 0:27 /my\\040box /mnt/a\\011b\\134c\\043\\9 rw - cgroup2 none rw\n");
  ASSERT_EQ(lines.entries.size(), 1u);
  EXPECT_EQ(lines.entries[0].root, "/my box");
  EXPECT_EQ(lines.entries[0].mount_point, "/mnt/a\tb\\c#\\9") << "what is no escape stays";
}

TEST(cgroup_parse, a_mount_with_an_empty_source_is_read) {
  EXPECT_EQ(parse_mountinfo("31 22 0:27 / /cg rw - cgroup  rw,cpu\n").entries.size(), 1u);
}

TEST(cgroup_parse, options_with_unescaped_spaces_are_no_error) {
  EXPECT_TRUE(parse_mountinfo("40 22 0:50 / /mnt/c rw - 9p C:\\134 rw,path=C:\\Program Files,x\n")
                  .malformed.empty());
}

TEST(cgroup_parse, malformed_mounts_are_listed) {
  for (const char* line : {"x", "1 2 3:4 / /cg rw", "1 2 3:4 / /cg rw - cgroup2",
                           "1 2 3:4 root /cg rw - cgroup2 none rw"}) {
    EXPECT_EQ(parse_mountinfo(line).malformed, names{line});
  }
}

TEST(cgroup_parse, empty_texts_have_no_lines) {
  EXPECT_TRUE(parse_proc_cgroup("").malformed.empty());
  EXPECT_TRUE(parse_mountinfo("").malformed.empty());
}

}  // namespace
}  // namespace filch::topo
