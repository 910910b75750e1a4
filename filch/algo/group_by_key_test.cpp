#include <filch/algo/algo_test.hpp>
#include <filch/algo/for_each.hpp>
#include <filch/algo/fragile_test.hpp>
#include <filch/algo/group_by_key.hpp>
#include <filch/algo/stable_partition.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace filch::inline v0_2::algo {
namespace {

class group_by_key_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, group_by_key_on, widths);

/// Pairs of a key below `kinds` and the place where they are.
template <class Key>
std::vector<std::pair<Key, std::size_t>> pairs(std::size_t n, std::uint64_t kinds, draw& random,
                                               Key (*make)(std::uint64_t)) {
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
  std::size_t elements = 0;
  for (const auto group : groups) elements += group.size();
  EXPECT_EQ(elements, all.size());
  std::atomic<std::size_t> in_parallel{0};
  for_each(groups, [&](auto group) { in_parallel += group.size(); });
  EXPECT_EQ(in_parallel, all.size());
}

TEST_P(group_by_key_on, brings_equal_integers_together_and_keeps_their_order) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;  // the map takes longer than all else
    const std::uint64_t kinds = 1 + random(n + 1);
    expect_groups(pairs<int>(n, kinds, random,
                             [](std::uint64_t each) { return static_cast<int>(each) - 3; }));
  });
}

TEST_P(group_by_key_on, groups_by_keys_that_can_only_be_compared) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    expect_groups(pairs<std::string>(
        n, 20, random, [](std::uint64_t each) { return "key " + std::to_string(each); }));
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

/// Wants more alignment than memory has by itself, wherever it is.
struct alignas(64) wide {
  int key = 0;
  wide() = default;
  wide(const wide& other) : key{other.key} { expect_aligned(); }
  wide& operator=(const wide& other) {
    key = other.key;
    expect_aligned();
    return *this;
  }
  void expect_aligned() const {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(this) % alignof(wide), 0u);
  }
};

TEST_P(group_by_key_on, buffers_keep_alignment) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    std::vector<wide> values(n);
    for (wide& each : values) each.key = static_cast<int>(random(20));
    const auto groups = group_by_key(values, &wide::key);
    EXPECT_TRUE(std::ranges::is_sorted(groups.elements(), {}, &wide::key));
    stable_partition(
        with(grain_items{1 + random(9)}), values, [](int key) { return key % 2 == 0; }, &wide::key);
    EXPECT_TRUE(
        std::ranges::is_partitioned(values, [](const wide& each) { return each.key % 2 == 0; }));
    stable_sort(values, {}, &wide::key);
    EXPECT_TRUE(std::ranges::equal(values, groups.elements(), {}, &wide::key, &wide::key));
  });
}

TEST_P(group_by_key_on, nothing_leaks_wherever_a_copy_throws) {
  repeatedly([](draw& random) {
    const int before = fragile::live;
    {
      const std::vector<int> numbers = random.numbers(40, 5);
      const std::vector<fragile> from(numbers.begin(), numbers.end());
      const int kept = fragile::live;
      fragile::at_every_step(
          [&] {
            EXPECT_EQ(group_by_key(with(grain_items{4}), from, &fragile::number).size(),
                      std::set(numbers.begin(), numbers.end()).size());
          },
          [&](bool) { ASSERT_EQ(fragile::live, kept); });
    }
    EXPECT_EQ(fragile::live, before);
  });
}

}  // namespace
}  // namespace filch::algo
