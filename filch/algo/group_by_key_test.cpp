#include <filch/algo/algo_test.hpp>
#include <filch/algo/group_by_key.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace filch::algo {
namespace {

class group_by_key_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, group_by_key_on, widths);

/// Pairs of a key below `kinds` and the place where they are.
template <class Key>
std::vector<std::pair<Key, std::size_t>> pairs(std::size_t n, std::uint64_t kinds, draw& random, Key (*make)(std::uint64_t)) {
  std::vector<std::pair<Key, std::size_t>> all(n);
  for (std::size_t i = 0; i != n; ++i) all[i] = {make(random(kinds)), i};
  return all;
}

/// Compares with what a map of vectors makes of `all`.
template <class Key>
void expect_groups(const std::vector<std::pair<Key, std::size_t>>& all) {
  std::map<Key, std::vector<std::pair<Key, std::size_t>>> expected;
  for (const auto& each : all) expected[each.first].push_back(each);
  const auto groups = group_by_key(all, &std::pair<Key, std::size_t>::first);
  ASSERT_EQ(groups.size(), expected.size());
  EXPECT_EQ(groups.empty(), all.empty());
  EXPECT_EQ(groups.elements().size(), all.size());
  std::size_t i = 0;
  for (const auto& [key, members] : expected) {
    const auto group = groups[i++];
    ASSERT_EQ(std::vector(group.begin(), group.end()), members);
  }
}

TEST_P(group_by_key_on, brings_equal_integers_together_and_keeps_their_order) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;  // the map takes longer than all else
    const std::uint64_t kinds = 1 + random(n + 1);
    expect_groups(pairs<int>(n, kinds, random, [](std::uint64_t each) { return static_cast<int>(each) - 3; }));
  });
}

TEST_P(group_by_key_on, groups_by_keys_that_can_only_be_compared) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    expect_groups(pairs<std::string>(n, 20, random, [](std::uint64_t each) { return "key " + std::to_string(each); }));
  });
}

TEST(group_by_key, keeps_what_bits_are_and_not_where) {
  const std::vector<bool> same{true, false, true};
  std::vector<bool> bits = same;
  const auto groups = group_by_key(bits);
  bits.assign(3, false);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_TRUE(std::ranges::equal(groups.elements(), std::vector<bool>{false, true, true}));
}

}  // namespace
}  // namespace filch::algo
