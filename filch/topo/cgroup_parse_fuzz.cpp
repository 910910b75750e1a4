// Random damage to well-formed texts. Under the sanitizers this looks for reads out of bounds; the
// properties look for impossible results. Another seed: FILCH_SEED=n ctest -R cgroup_parse_fuzz.
#include <filch/base/corpus_fuzz.hpp>

namespace filch::inline v0_2::topo {
namespace {

/// The property called `name` holds for every damaged copy of `text`.
void survives_damage(std::string_view name, const std::string& text) {
  constexpr int rounds = 20'000;
  constexpr std::string_view characters_that_mean_something = "-,:/ \\\n019.m";
  const base::text_property& property = base::property_called(name);
  base::split_mix64 random{base::first_seed()};
  for (int round = 0; round < rounds; ++round) {
    const std::string broken = base::damaged(text, random, 16, characters_that_mean_something);
    ASSERT_EQ(property.violation(broken), "")
        << broken << "\nreplay: FILCH_SEED=" << base::first_seed();
  }
}

TEST(cgroup_parse_fuzz, a_damaged_cpu_list_is_refused_or_reads_back) {
  survives_damage("cpu_list", "0-3,8,10-11\n");
}
TEST(cgroup_parse_fuzz, a_damaged_quota_is_refused_or_divides) {
  survives_damage("quota", "150000 100000\n");
}
TEST(cgroup_parse_fuzz, a_damaged_pair_of_quota_and_period_is_refused_or_divides) {
  survives_damage("quota", "150000--\n100000\n");
}
TEST(cgroup_parse_fuzz, a_damaged_count_of_throttling_is_refused_or_whole) {
  survives_damage("quota", "nr_throttled 3\nthrottled_usec 1500\n");
}
TEST(cgroup_parse_fuzz, damaged_tables_lead_only_to_groups_below_a_mount_point) {
  survives_damage("cgroups",
                  "2:cpu,cpuacct:/docker/box\n1:cpuset:/docker/box\n0::/system.slice/a b\n--\n"
                  "30 22 0:26 / /cg/unified rw shared:9 - cgroup2 cgroup2 rw\n"
                  "31 22 0:27 /docker /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                  "32 22 0:28 /.. /cg/set\\040x rw - cgroup cgroup rw,cpuset\n");
}

}  // namespace
}  // namespace filch::topo
