#include <filch/algo/algo_test.hpp>
#include <filch/algo/fragile_test.hpp>
#include <filch/algo/stable_partition.hpp>

#include <algorithm>
#include <memory>

namespace filch::algo {
namespace {

class stable_partition_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, stable_partition_on, widths);

settings any_grain(draw& random) {
  settings how;
  if (random(2) == 0) how.grain = 1 + random(200);
  how.is_deterministic = random(4) == 0;
  return how;
}

TEST_P(stable_partition_on, keeps_the_order_of_both_sides) {
  on_all_sizes([](std::size_t n, draw& random) {
    auto all = random.numbers(n, 100);
    auto expected = all;
    const int bound = static_cast<int>(random(5) * 25);
    const auto is_low = [bound](int each) { return each < bound; };
    const auto middle = std::stable_partition(expected.begin(), expected.end(), is_low);
    const auto others = stable_partition(any_grain(random), all, is_low);
    EXPECT_EQ(others.begin() - all.begin(), middle - expected.begin());
    EXPECT_EQ(others.end(), all.end());
    EXPECT_EQ(all, expected);
  });
}

TEST_P(stable_partition_on, moves_what_can_only_be_moved_and_asks_projections) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<std::unique_ptr<int>> all(n);
    for (auto& each : all) each = std::make_unique<int>(static_cast<int>(random(100)));
    std::vector<int*> expected;
    for (const int parity : {0, 1}) {
      for (auto& each : all) {
        if (*each % 2 == parity) expected.push_back(each.get());
      }
    }
    stable_partition(
        any_grain(random), all.begin(), all.end(), [](int each) { return each % 2 == 0; },
        [](const std::unique_ptr<int>& each) { return *each; });
    for (std::size_t i = 0; i != n; ++i) ASSERT_EQ(all[i].get(), expected[i]);
  });
}

TEST_P(stable_partition_on, leaks_nothing_wherever_it_throws) {
  repeatedly([](draw& random) {
    constexpr std::size_t n = 40;
    {
      std::vector<fragile> all;
      for (std::size_t i = 0; i != n; ++i) all.emplace_back(static_cast<int>(random(3)));
      const auto is_zero_by_copy = [](fragile each) { return each.number() == 0; };
      fragile::at_every_step([&] { stable_partition(with(grain_items{4}), all, is_zero_by_copy); },
                             [&](bool) { ASSERT_EQ(fragile::live, static_cast<int>(n)); });
    }
    EXPECT_EQ(fragile::live, 0);
  });
}

}  // namespace
}  // namespace filch::algo
