#include <filch/algo/algo_test.hpp>
#include <filch/algo/random_shuffle.hpp>
#include <filch/algo/sort_test_values.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

std::vector<std::uint32_t> shuffled(std::size_t n, std::uint64_t seed, const settings& how = {}) {
  std::vector<std::uint32_t> values(n);
  std::iota(values.begin(), values.end(), 0u);
  filch::random_shuffle(how, values, seed);
  return values;
}

class random_shuffle_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, random_shuffle_on, widths);

void expect_shuffled(std::size_t n, std::uint64_t seed, thread_pool& alone) {
  std::vector<std::uint32_t> values = shuffled(n, seed);
  ASSERT_EQ(values, shuffled(n, seed, with(alone)));
  ASSERT_TRUE(n <= 20 || values != shuffled(n, seed + 1));
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(values[i], i);
}

TEST_P(random_shuffle_on, keeps_the_elements_and_depends_on_count_and_seed_alone) {
  thread_pool alone({.workers = 1});
  on_all_sizes([&](std::size_t n, draw& random) { expect_shuffled(n, random(), alone); });
}

TEST_P(random_shuffle_on, riffles_in_any_schedule) {
  thread_pool alone({.workers = 1});
  repeatedly([&](draw& random) { expect_shuffled(40'000, random(), alone); });
}

TEST_P(random_shuffle_on, leaks_nothing_when_a_swap_throws) {
  repeatedly([](draw& random) {
    let_moves_throw(random, [&](auto& values) { filch::random_shuffle(values, random()); });
  });
  EXPECT_EQ(throws_on_move::living(), 0);
}

/// Chi-squared of counts that should be equal.
double chi_squared(const auto& counts, double expected) {
  double sum = 0;
  for (const double each : counts) sum += (each - expected) * (each - expected) / expected;
  return sum;
}

TEST(random_shuffle, of_four_elements_gives_all_orders_equally_often) {
  std::map<std::vector<std::uint32_t>, int> seen;
  for (std::uint64_t seed = 0; seed < 24'000; ++seed) ++seen[shuffled(4, seed)];
  ASSERT_EQ(seen.size(), 24u);
  std::vector<double> counts;
  for (const auto& [order, count] : seen) counts.push_back(count);
  EXPECT_LT(chi_squared(counts, 1'000), 55)
      << "0.02 % of fair shuffles exceed 55 with 23 degrees of freedom";
}

TEST(random_shuffle, that_riffles_sends_elements_everywhere) {
  constexpr std::size_t n = 100'000, parts = 10;
  std::array<double, parts * parts> counts{};
  const std::vector<std::uint32_t> values = shuffled(n, 7);
  for (std::size_t i = 0; i < n; ++i) ++counts[i * parts / n * parts + values[i] * parts / n];
  EXPECT_LT(chi_squared(counts, n / static_cast<double>(parts * parts)), 140)
      << "0.01 % exceed 140 with 81 degrees of freedom";
}

TEST(random_shuffle, moves_what_cannot_be_copied) {
  std::vector<std::unique_ptr<int>> values(50'000);
  for (auto& each : values) each = std::make_unique<int>(1);
  EXPECT_EQ(filch::random_shuffle(values, 3), values.end());
  EXPECT_TRUE(
      std::all_of(values.begin(), values.end(), [](const auto& each) { return *each == 1; }));
}

}  // namespace
}  // namespace filch::algo
