#include <filch/algo/algo_test.hpp>
#include <filch/algo/flatten.hpp>
#include <filch/algo/fragile_test.hpp>

#include <string>

namespace filch::inline v0_2::algo {
namespace {

class flatten_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, flatten_on, widths);

settings any_grain(draw& random) {
  settings how;
  if (random(2) == 0) how.grain = 1 + random(200);
  how.is_deterministic = random(4) == 0;
  return how;
}

/// `n` strings in ranges of up to 5, many of them empty.
std::vector<std::vector<std::string>> some_ranges(std::size_t n, draw& random) {
  std::vector<std::vector<std::string>> all(random(3));
  for (std::size_t i = 0; i < n; all.resize(all.size() + 1 + random(3))) {
    if (all.empty()) continue;
    for (std::uint64_t left = random(6); left != 0 && i != n; --left, ++i)
      all.back().push_back(std::to_string(i));
  }
  return all;
}

TEST_P(flatten_on, puts_ranges_one_after_the_other) {
  on_all_sizes([](std::size_t n, draw& random) {
    const auto ranges = some_ranges(n, random);
    std::vector<std::string> out(n), expected;
    for (const auto& each : ranges) expected.insert(expected.end(), each.begin(), each.end());
    const auto flat = flatten(any_grain(random), ranges);
    EXPECT_EQ(std::vector<std::string>(flat.begin(), flat.end()), expected);
    EXPECT_EQ(flatten(any_grain(random), ranges.begin(), ranges.end(), out.begin()), out.end());
    EXPECT_EQ(out, expected);
  });
}

TEST_P(flatten_on, cuts_a_range_that_is_longer_than_all_others) {
  std::vector<std::vector<int>> ranges(4, std::vector<int>(3, 1));
  ranges[2].assign(200'000, 2);
  thread_pool pool({.workers = GetParam()});
  const auto flat = flatten(with(pool), ranges);
  ASSERT_EQ(flat.size(), 200'009u);
  for (std::size_t i = 0; i != flat.size(); ++i) ASSERT_EQ(flat[i], i < 6 || i >= 200'006 ? 1 : 2);
}

TEST_P(flatten_on, leaks_nothing_wherever_a_copy_throws) {
  repeatedly([](draw&) {
    {
      std::vector<std::vector<fragile>> ranges(7);
      for (std::size_t i = 0; i != ranges.size(); ++i) {
        for (std::size_t k = 0; k != i; ++k) ranges[i].emplace_back(static_cast<int>(k));
      }
      fragile::at_every_step([&] { flatten(with(grain_items{2}), ranges); },
                             [](bool) { ASSERT_EQ(fragile::live, 21); });
    }
    EXPECT_EQ(fragile::live, 0);
  });
}

}  // namespace
}  // namespace filch::algo
