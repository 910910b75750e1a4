#include <filch/algo/algo_test.hpp>
#include <filch/algo/histogram.hpp>

#include <stdexcept>

namespace filch::inline v0_2::algo {
namespace {

class histogram_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, histogram_on, widths);

settings any_grain(draw& random) {
  settings how;
  if (random(2) == 0) how.grain = 1 + random(200);
  how.is_deterministic = random(4) == 0;
  return how;
}

TEST_P(histogram_on, counts_every_key) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::uint64_t bound = 1 + random(300);
    const auto keys = random.numbers(n, static_cast<int>(bound));
    std::vector<std::uint64_t> expected(bound + 2);
    for (const int each : keys) ++expected[static_cast<std::size_t>(each) + 2];
    EXPECT_EQ(histogram(any_grain(random), keys, bound + 2, [](int each) { return each + 2; }),
              expected);
  });
}

TEST_P(histogram_on, refuses_keys_that_are_not_below_the_bound) {
  repeatedly([](draw& random) {
    std::vector<int> keys(1'000);
    EXPECT_EQ(histogram(keys, 1), std::vector<std::uint64_t>{1'000});
    keys[random(1'000)] = random(2) == 0 ? 1 : -1;
    EXPECT_THROW(histogram(any_grain(random), keys, 1), std::out_of_range);
    EXPECT_THROW(histogram(keys, 0), std::out_of_range);
  });
}

TEST(histogram, says_which_key_is_wrong) {
  const auto message = [](auto key) -> std::string {
    try {
      histogram(std::vector{key}, 3);
    } catch (const std::out_of_range& error) {
      return error.what();
    }
    return "";
  };
  enum few { wrong = -1 };
  EXPECT_EQ(message(-1), "filch::histogram: the key -1 is negative");
  EXPECT_EQ(message(wrong), "filch::histogram: the key -1 is negative");
  EXPECT_EQ(message(3), "filch::histogram: the key 3 is not below 3");
  EXPECT_EQ(message(~std::uint64_t{0}),
            "filch::histogram: the key 18446744073709551615 is not below 3");
}

}  // namespace
}  // namespace filch::algo
