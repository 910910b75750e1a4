#include <filch/algo/algo_test.hpp>
#include <filch/algo/is_sorted.hpp>
#include <filch/algo/sort.hpp>
#include <filch/algo/sort_test_values.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

class sort_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, sort_on, widths);

TEST_P(sort_on, agrees_with_std_in_every_arrangement) {
  on_all_sizes([](std::size_t n, draw& random) {
    for (const arrangement_of_test each : all_arrangements) {
      std::vector<int> values = arranged(each, n, random);
      const std::vector<int> expected = sorted_copy(values);
      EXPECT_EQ(filch::sort(values), values.end());
      ASSERT_EQ(values, expected) << "arrangement " << static_cast<int>(each);
    }
  });
}

TEST_P(sort_on, sorts_what_is_not_plain) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;
    std::vector<std::string> values(n);
    for (auto& each : values) each = std::string(random(40), 'a') + std::to_string(random(1 + n));
    const auto expected = sorted_copy(values);
    filch::sort(values);
    ASSERT_EQ(values, expected);
  });
}

TEST_P(sort_on, takes_comparison_and_projection_options_and_ends) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<std::array<int, 2>> values(n);
    for (auto& each : values)
      each = {static_cast<int>(random(1000)), static_cast<int>(random(1000))};
    auto expected = values;
    const auto second = [](const std::array<int, 2>& v) { return v[1]; };
    std::ranges::sort(expected, std::greater<>{}, second);
    filch::sort(par, values.begin(), values.end(), std::greater<>{}, second);
    ASSERT_TRUE(std::ranges::equal(values, expected, {}, second, second));
    std::ranges::sort(values);
    std::ranges::sort(expected);
    ASSERT_EQ(values, expected);
  });
}

TEST(sort, takes_a_comparison_of_what_may_be_changed) {
  std::vector<int> values = draw{7}.numbers(100'000, 1'000);
  const auto expected = sorted_copy(values);
  filch::sort(values, [](int& a, int& b) { return a < b; });
  EXPECT_EQ(values, expected);
}

TEST_P(sort_on, moves_what_cannot_be_copied) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    std::vector<std::unique_ptr<int>> values(n);
    for (auto& each : values) each = std::make_unique<int>(static_cast<int>(random(n)));
    std::vector<int> expected(n);
    std::transform(values.begin(), values.end(), expected.begin(),
                   [](const auto& each) { return *each; });
    std::sort(expected.begin(), expected.end());
    filch::sort(values, std::less<>{}, [](const auto& each) { return *each; });
    ASSERT_TRUE(std::equal(values.begin(), values.end(), expected.begin(),
                           [](const auto& a, int b) { return *a == b; }));
  });
}

TEST_P(sort_on, goes_through_proxies_and_never_beyond_them) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;
    for (const arrangement_of_test each : all_arrangements) {
      std::vector<int> values = arranged(each, n, random);
      const auto expected = sorted_copy(values);
      const guarded_iterator first(values, 0);
      filch::sort(first, first + static_cast<std::ptrdiff_t>(n), std::less<int>{});
      ASSERT_EQ(values, expected) << "arrangement " << static_cast<int>(each);
    }
  });
}

TEST_P(sort_on, moves_nothing_to_itself) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    for (const arrangement_of_test each : all_arrangements) {
      std::vector<picky> values = picky_ones(arranged(each, n, random));
      filch::sort(values);
      ASSERT_TRUE(std::is_sorted(values.begin(), values.end()));
    }
  });
}

TEST_P(sort_on, keeps_alignment) {
  struct alignas(64) wide {
    int key;
    bool operator<(const wide& other) const {
      return reinterpret_cast<std::uintptr_t>(this) % 64 == 0 && key < other.key;
    }
  };
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    std::vector<wide> values(n);
    for (auto& each : values) each.key = static_cast<int>(random(n));
    filch::sort(values, std::less<>{});
    ASSERT_TRUE(std::is_sorted(values.begin(), values.end()));
  });
}

TEST_P(sort_on, forks_in_any_schedule) {
  repeatedly([](draw& random) {
    std::vector<int> values = random.numbers(2'000, 500);
    const auto expected = sorted_copy(values);
    filch::sort(values);
    EXPECT_EQ(values, expected);
  });
}

TEST_P(sort_on, loses_nothing_when_a_comparison_throws) {
  repeatedly(
      [](draw& random) { expect_nothing_lost_when_a_comparison_throws(random, filch::sort); });
  EXPECT_EQ(fragile::living(), 0);
}

TEST_P(sort_on, loses_no_plain_element_when_a_comparison_throws) {
  repeatedly([](draw& random) {
    for (const std::size_t n : {2, 5, 31, 33, 100, 700}) {
      const std::vector<int> values = random.numbers(n, 50);
      for (std::uint64_t quiet = 0; quiet < 3 * n; quiet += 1 + random(1 + n / 4)) {
        auto tried = values;
        base::atomic<std::uint64_t> made{0};
        const auto break_down = [&](int a, int b) {
          if (made.fetch_add(1, base::relaxed) >= quiet) throw fragile::broken{};
          return a < b;
        };
        try {
          filch::sort(tried, break_down);
          EXPECT_GT(quiet, 0u);
        } catch (const fragile::broken&) {
        }
        ASSERT_EQ(sorted_copy(tried), sorted_copy(values))
            << n << " elements, comparison " << quiet;
      }
    }
  });
}

TEST_P(sort_on, leaks_nothing_when_a_move_throws) {
  repeatedly([](draw& random) { let_moves_throw(random, filch::sort); });
  EXPECT_EQ(throws_on_move::living(), 0);
}

TEST_P(sort_on, keeps_all_however_senseless_the_comparison) {
  on_all_sizes([](std::size_t n, draw& random) {
    expect_all_kept_without_an_order(n, random, filch::sort);
  });
}

TEST_P(sort_on, stops_when_asked) {
  repeatedly([](draw& random) {
    std::stop_source source;
    source.request_stop();
    std::vector<int> values = random.numbers(20'000, 100'000);
    const auto expected = sorted_copy(values);
    EXPECT_THROW(filch::sort(with(source.get_token()), values), stopped);
    EXPECT_EQ(sorted_copy(values), expected);
  });
}

TEST(sort, deterministic_gives_equal_elements_the_same_order_at_every_width) {
  draw random{5};
  std::vector<std::array<int, 2>> values(300'000);
  for (int i = 0; auto& each : values) each = {static_cast<int>(random(100)), i++};
  const auto by_first = [](const auto& a, const auto& b) { return a[0] < b[0]; };
  std::vector<std::vector<std::array<int, 2>>> results;
  for (const unsigned workers : {1u, 2u, 5u}) {
    thread_pool pool({.workers = workers});
    results.push_back(values);
    filch::sort(with(deterministic, pool), results.back(), by_first);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

/// McIlroy, "A Killer Adversary for Quicksort", 1999: decides how elements compare while it is
/// asked, so that pivots are bad.
TEST(sort, makes_few_comparisons_against_an_adversary) {
  const int n = 20'000, gas = n;
  std::vector<int> value_of(n, gas), values(n);
  std::iota(values.begin(), values.end(), 0);
  int solid = 0, candidate = 0;
  std::uint64_t made = 0;
  const auto adversary = [&](int a, int b) {
    ++made;
    if (value_of[a] == gas && value_of[b] == gas) value_of[a == candidate ? a : b] = solid++;
    if (value_of[a] == gas) candidate = a;
    if (value_of[b] == gas) candidate = b;
    return value_of[a] < value_of[b];
  };
  thread_pool pool({.workers = 1});
  filch::sort(with(pool), values, adversary);
  EXPECT_TRUE(std::ranges::is_sorted(values, {}, [&](int i) { return value_of[i]; }));
  EXPECT_LT(made, 20'000u * 15 * 8);
}

TEST_P(sort_on, finds_where_order_ends) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<int> values(n);
    std::iota(values.begin(), values.end(), 0);
    EXPECT_TRUE(filch::is_sorted(values));
    for (int breaks = 0; n > 1 && breaks < 3; ++breaks) {
      values[random(n)] = static_cast<int>(random(n));
      ASSERT_EQ(filch::is_sorted_until(values), std::is_sorted_until(values.begin(), values.end()));
      ASSERT_EQ(filch::is_sorted(values), std::is_sorted(values.begin(), values.end()));
      ASSERT_EQ(filch::is_sorted(values, std::greater<>{}, std::negate<>{}),
                std::is_sorted(values.begin(), values.end()));
    }
  });
}

}  // namespace
}  // namespace filch::algo
