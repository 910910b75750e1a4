// Random damage to well-formed texts. Under the sanitizers this looks for reads out of bounds; the properties look for results
// that cannot be. Another seed: FILCH_SEED=n ctest -R cgroup_parse_fuzz.
#include <filch/base/rng.hpp>
#include <filch/topo/parsers_fuzz.hpp>

#include <gtest/gtest.h>

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

/// The property called `name` holds for every damaged copy of `text`.
void survives_damage(std::string_view name, const std::string& text) {
  constexpr int rounds = 20'000;
  const parser_property* const property = find_parser_property(name);
  base::split_mix64 random{seed()};
  for (int round = 0; round < rounds; ++round) {
    const std::string broken = damaged(text, random);
    ASSERT_EQ(property->violation(broken), "") << broken << "\nreplay: FILCH_SEED=" << seed();
  }
}

TEST(cgroup_parse_fuzz, a_damaged_cpu_list_is_refused_or_reads_back) { survives_damage("cpu_list", "0-3,8,10-11\n"); }
TEST(cgroup_parse_fuzz, a_damaged_quota_is_refused_or_divides) { survives_damage("quota", "150000 100000\n"); }
TEST(cgroup_parse_fuzz, a_damaged_pair_of_quota_and_period_is_refused_or_divides) {
  survives_damage("quota", "150000--\n100000\n");
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
