// Random damage to well-formed texts. Under the sanitizers this looks for reads out of bounds; the checks below look for
// results that cannot be. Another seed: FILCH_SEED=n ctest -R cgroup_parse_fuzz.
#include <filch/base/rng.hpp>
#include <filch/topo/cgroup_locate.hpp>
#include <filch/topo/cpu_list.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace filch::topo {
namespace {

std::uint64_t seed() {
  const char* given = std::getenv("FILCH_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

/// Replaces, drops or doubles a few bytes; half of what it puts in are characters that mean something here.
std::string damaged(std::string text, base::split_mix64& random) {
  constexpr std::string_view special = "-,:/ \\\n019.m";
  for (std::uint64_t edits = random() % 6; edits > 0 && !text.empty(); --edits) {
    const std::size_t at = random() % text.size();
    const char byte = random() % 2 == 0 ? special[random() % special.size()] : static_cast<char>(random());
    switch (random() % 4) {
      case 0: text.erase(at, 1 + random() % 4); break;
      case 1: text.insert(at, 1, byte); break;
      case 2: text.insert(at, text.substr(at, random() % 16)); break;
      default: text[at] = byte;
    }
  }
  return text;
}

constexpr int rounds = 20'000;

TEST(cgroup_parse_fuzz, a_damaged_cpu_list_is_refused_or_reads_back) {
  base::split_mix64 random{seed()};
  for (int round = 0; round < rounds; ++round) {
    const std::string text = damaged("0-3,8,10-11\n", random);
    if (const auto cpus = parse_cpu_list(text)) {
      ASSERT_EQ(parse_cpu_list(format_cpu_list(*cpus)), cpus) << text << "\nreplay: FILCH_SEED=" << seed();
      ASSERT_TRUE(std::ranges::is_sorted(*cpus)) << text << "\nreplay: FILCH_SEED=" << seed();
    }
  }
}

TEST(cgroup_parse_fuzz, a_damaged_quota_is_refused_or_divides) {
  base::split_mix64 random{seed()};
  const auto usable = [](const std::optional<cpu_quota>& quota) {
    return !quota || !quota->quota_us || (*quota->quota_us > 0 && quota->period_us > 0);
  };
  for (int round = 0; round < rounds; ++round) {
    const std::string text = damaged("150000 100000\n", random);
    ASSERT_TRUE(usable(parse_cpu_max(text))) << text << "\nreplay: FILCH_SEED=" << seed();
    ASSERT_TRUE(usable(parse_cfs(text.substr(0, text.find(' ')), "100000"))) << text << "\nreplay: FILCH_SEED=" << seed();
  }
}

TEST(cgroup_parse_fuzz, damaged_tables_lead_only_to_groups_below_a_mount_point) {
  base::split_mix64 random{seed()};
  const std::string memberships = "2:cpu,cpuacct:/docker/box\n1:cpuset:/docker/box\n0::/system.slice/a b\n";
  const std::string mounts = "30 22 0:26 / /cg/unified rw shared:9 - cgroup2 cgroup2 rw\n"
                             "31 22 0:27 /docker /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                             "32 22 0:28 /.. /cg/set\\040x rw - cgroup cgroup rw,cpuset\n";
  for (int round = 0; round < rounds; ++round) {
    const std::string own = damaged(memberships, random);
    const std::string table = damaged(mounts, random);
    const auto entries = parse_mountinfo(table).entries;
    for (const cgroup_directory& group : locate_cgroups(own, table).directories) {
      const bool below_one = std::ranges::any_of(entries, [&](const cgroup_mount& mount) {
        return mount.mount_point == "/" || group.path.starts_with(mount.mount_point);
      });
      ASSERT_TRUE(below_one) << own << table << group.path << "\nreplay: FILCH_SEED=" << seed();
    }
  }
}

}  // namespace
}  // namespace filch::topo
