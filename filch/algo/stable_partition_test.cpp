#include <filch/algo/algo_test.hpp>
#include <filch/algo/fragile_test.hpp>
#include <filch/algo/stable_partition.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stop_token>
#include <utility>

namespace filch::inline v0_2::algo {
namespace {

class stable_partition_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, stable_partition_on, widths);

settings any_grain(draw& random) {
  settings how;
  if (random(2) == 0) how.grain = 1 + random(200);
  how.is_deterministic = random(4) == 0;
  return how;
}

std::vector<int> sorted_numbers(const std::vector<fragile>& of) {
  std::vector<int> all;
  for (const fragile& each : of) all.push_back(each.number());
  std::ranges::sort(all);
  return all;
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

/// Whether a number is 0, of a copy; asks for a stop when it has been called so often.
struct zero_until_stop {
  std::stop_source& source;
  std::atomic<int>& calls_left;

  bool operator()(fragile each) const {
    if (calls_left.fetch_sub(1) == 0) source.request_stop();
    return each.number() == 0;
  }
};

TEST_P(stable_partition_on, keeps_all_elements_wherever_it_throws_or_is_stopped) {
  repeatedly([](draw& random) {
    std::vector<int> numbers = random.numbers(40, 3);
    std::ranges::sort(numbers);
    {
      std::vector<fragile> all;
      for (const int each : numbers) all.emplace_back(each);
      const auto expect_all = [&](bool) { ASSERT_EQ(sorted_numbers(all), numbers); };
      const auto shuffle_and_part = [&](int calls) {
        for (std::size_t i = 0; i != all.size(); ++i) std::swap(all[i], all[random(all.size())]);
        std::stop_source source;
        std::atomic<int> calls_left{calls};
        stable_partition(with(source.get_token(), grain_items{4}), all,
                         zero_until_stop{source, calls_left});
      };
      fragile::at_every_step([&] { shuffle_and_part(1'000); }, expect_all);
      for (int calls = 0; calls != 40; ++calls) {
        EXPECT_THROW(shuffle_and_part(calls), stopped);
        expect_all(true);
      }
    }
    EXPECT_EQ(fragile::live, 0);
  });
}

}  // namespace
}  // namespace filch::algo
