#include <filch/algo/algo_test.hpp>
#include <filch/algo/merge.hpp>
#include <filch/algo/sort_test_values.hpp>
#include <filch/algo/stable_sort.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

class stable_sort_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, stable_sort_on, widths);

template <class Key>
void expect_stable(std::vector<record<Key>> values) {
  auto expected = values;
  std::ranges::stable_sort(expected, std::greater<>{}, &record<Key>::key);
  EXPECT_EQ(filch::stable_sort(values, std::greater<>{}, &record<Key>::key), values.end());
  ASSERT_EQ(values, expected);
}

TEST_P(stable_sort_on, keeps_the_order_of_equal_elements) {
  on_all_sizes([](std::size_t n, draw& random) {
    for (const arrangement_of_test each : all_arrangements) {
      const std::vector<int> keys = arranged(each, n, random);
      expect_stable(records<int>(keys, as_number));
      if (n < 5'000) expect_stable(records<std::string>(keys, as_text));
    }
  });
}

TEST_P(stable_sort_on, moves_what_cannot_be_copied) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    std::vector<std::unique_ptr<int>> values(n);
    for (auto& each : values) each = std::make_unique<int>(static_cast<int>(random(n)));
    filch::stable_sort(par, values, std::less<>{}, [](const auto& each) { return *each; });
    ASSERT_TRUE(std::is_sorted(values.begin(), values.end(),
                               [](const auto& a, const auto& b) { return *a < *b; }));
  });
}

TEST_P(stable_sort_on, forks_in_any_schedule) {
  repeatedly(
      [](draw& random) { expect_stable(records<int>(random.numbers(1'000, 100), as_number)); });
}

TEST_P(stable_sort_on, loses_nothing_when_a_comparison_throws) {
  repeatedly([](draw& random) {
    expect_nothing_lost_when_a_comparison_throws(random, filch::stable_sort);
  });
  EXPECT_EQ(fragile::living(), 0);
}

TEST_P(stable_sort_on, keeps_all_however_senseless_the_comparison) {
  on_all_sizes([](std::size_t n, draw& random) {
    expect_all_kept_without_an_order(n, random, filch::stable_sort);
  });
}

TEST_P(stable_sort_on, leaks_nothing_when_a_move_throws) {
  repeatedly([](draw& random) { let_moves_throw(random, filch::stable_sort); });
  EXPECT_EQ(throws_on_move::living(), 0);
}

TEST_P(stable_sort_on, loses_nothing_when_stopped_meanwhile) {
  repeatedly([](draw& random) {
    const auto stopped_within = [&](auto values, auto&& key_of) {
      std::stop_source source;
      base::atomic<std::uint64_t> made{0};
      const std::uint64_t quiet = random(60'000);
      auto expected = values;
      const auto less = [&](const auto& a, const auto& b) {
        if (made.fetch_add(1, base::relaxed) == quiet) source.request_stop();
        return key_of(a) < key_of(b);
      };
      try {
        filch::stable_sort(with(source.get_token()), values, less);
      } catch (const stopped&) {
      }
      std::sort(values.begin(), values.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(values, expected);
    };
    const std::vector<int> numbers = random.numbers(9'000, 100'000);
    std::vector<std::string> texts;
    for (const int each : numbers) texts.push_back(as_text(each));
    stopped_within(numbers, std::identity{});
    stopped_within(texts, std::identity{});
  });
}

template <class Key>
void expect_merged(std::size_t n, draw& random, auto make_key) {
  const std::size_t left_count = random(n + 1);
  auto left = records<Key>(random.numbers(left_count, 1 + static_cast<int>(n / 2)), make_key);
  auto right = records<Key>(random.numbers(n - left_count, 1 + static_cast<int>(n / 3)), make_key);
  for (auto& each : right) each.place += 1'000'000;
  std::ranges::stable_sort(left, {}, &record<Key>::key);
  std::ranges::stable_sort(right, {}, &record<Key>::key);
  std::vector<record<Key>> expected(n), merged(n);
  const auto key = &record<Key>::key;
  std::ranges::merge(left, right, expected.begin(), {}, key, key);
  const auto [in1, in2, out] = filch::merge(left, right, merged.begin(), std::less<>{}, key, key);
  ASSERT_TRUE(in1 == left.end() && in2 == right.end() && out == merged.end());
  ASSERT_EQ(merged, expected);
}

TEST_P(stable_sort_on, merges_as_std_does) {
  on_all_sizes([](std::size_t n, draw& random) {
    expect_merged<int>(n, random, as_number);
    if (n < 10'000) expect_merged<std::string>(n, random, as_text);
  });
}

TEST_P(stable_sort_on, merges_in_any_schedule) {
  repeatedly([](draw& random) { expect_merged<int>(9'000, random, as_number); });
}

#if defined(FILCH_TESTING)
constexpr std::size_t long_run = 200;  // each comparison is a step of a schedule
#else
constexpr std::size_t long_run = 5'000;  // is merged by several workers
#endif

TEST_P(stable_sort_on, a_merge_has_no_element_twice_wherever_a_comparison_throws) {
  repeatedly([](draw& random) {
    for (const std::size_t n : {std::size_t{2}, std::size_t{40}, long_run}) {
      auto left = with_random_keys<fragile>(n, random),
           right = with_random_keys<fragile>(n / 2, random);
      std::ranges::sort(left);
      std::ranges::sort(right);
      std::vector<fragile> both = left;
      both.insert(both.end(), right.begin(), right.end());
      std::vector<fragile> new_or_old(both.size());
      new_or_old.insert(new_or_old.end(), both.begin(), both.end());
      for (std::uint64_t quiet = 0; quiet < 2 * n; quiet += 1 + random(n)) {
        std::vector<fragile> out(both.size());
        fragile::throw_after(quiet);
        bool has_merged = false;
        try {
          filch::merge(left, right, out.begin());
          has_merged = true;
          EXPECT_GT(quiet, 0u);
        } catch (const fragile::broken&) {
        }
        fragile::never_throw();
        ASSERT_TRUE(std::ranges::includes(sorted_copy(new_or_old), sorted_copy(out)))
            << n << ", comparison " << quiet;
        if (has_merged) {
          ASSERT_EQ(sorted_copy(out), sorted_copy(both)) << n << ", comparison " << quiet;
        }
      }
    }
  });
  EXPECT_EQ(fragile::living(), 0);
}

TEST(merge, takes_arrays_that_are_no_whole_number_of_elements_apart) {
  using element = std::array<unsigned char, 6>;
  struct {
    element left[3]{{1}, {3}, {5}};
    unsigned char between = 0;
    element right[3]{{2}, {4}, {6}};
  } apart;
  std::vector<element> merged(6);
  filch::merge(apart.left, apart.right, merged.begin());
  EXPECT_EQ(merged, (std::vector<element>{{1}, {2}, {3}, {4}, {5}, {6}}));
}

TEST(merge, takes_ranges_of_different_types_and_constant_ones) {
  const std::vector<int> left{1, 3, 5};
  const std::array<short, 3> right{2, 3, 9};
  std::vector<long> merged(6);
  filch::merge(left, right, merged.begin());
  EXPECT_EQ(merged, (std::vector<long>{1, 2, 3, 3, 5, 9}));
}

TEST_P(stable_sort_on, a_merge_stops_when_asked_meanwhile) {
  repeatedly([](draw& random) {
    std::vector<int> left = random.numbers(20'000, 1000), right = random.numbers(20'000, 1000),
                     out(40'000, -1);
    std::ranges::sort(left);
    std::ranges::sort(right);
    std::stop_source source;
    const auto less_until_now = [&](int a, int b) {
      source.request_stop();
      return a < b;
    };
    EXPECT_THROW(filch::merge(with(source.get_token()), left, right, out.begin(), less_until_now),
                 stopped);
    EXPECT_GT(std::ranges::count(out, -1), 0);
  });
}

}  // namespace
}  // namespace filch::algo
