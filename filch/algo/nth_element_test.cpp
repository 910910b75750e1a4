#include <filch/algo/algo_test.hpp>
#include <filch/algo/nth_element.hpp>
#include <filch/algo/sort_test_values.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

class nth_element_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, nth_element_on, widths);

template <class T>
void expect_selected(std::vector<T> values, std::size_t nth) {
  auto sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(nth);
  EXPECT_EQ(filch::nth_element(values, at), values.end());
  if (at != values.end()) {
    ASSERT_EQ(*at, sorted[nth]);
    ASSERT_TRUE(std::all_of(values.begin(), at, [&](const T& each) { return !(*at < each); }));
    ASSERT_TRUE(std::all_of(at, values.end(), [&](const T& each) { return !(each < *at); }));
  }
  std::sort(values.begin(), values.end());
  ASSERT_EQ(values, sorted);
}

TEST_P(nth_element_on, brings_the_one_that_belongs_there) {
  on_all_sizes([](std::size_t n, draw& random) {
    for (const arrangement_of_test each : all_arrangements) {
      expect_selected(arranged(each, n, random), random(n + 1));
    }
  });
}

TEST_P(nth_element_on, moves_nothing_to_itself) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 1'000) return;
    for (const arrangement_of_test each : all_arrangements) {
      expect_selected(picky_ones(arranged(each, n, random)), random(n + 1));
    }
  });
}

void expect_partly_sorted(const std::vector<int>& values, std::uint64_t count) {
  const auto middle = static_cast<std::ptrdiff_t>(count);
  auto expected = values, found = values;
  std::sort(expected.begin(), expected.end(), std::greater<>{});
  EXPECT_EQ(filch::partial_sort(par, found.begin(), found.begin() + middle, found.end(),
                                std::greater<>{}),
            found.end());
  ASSERT_TRUE(std::equal(found.begin(), found.begin() + middle, expected.begin()));
  std::sort(found.begin(), found.end(), std::greater<>{});
  ASSERT_EQ(found, expected);
}

TEST_P(nth_element_on, partial_sort_sorts_the_least) {
  on_all_sizes([](std::size_t n, draw& random) {
    for (const arrangement_of_test each : all_arrangements) {
      expect_partly_sorted(arranged(each, n, random), random(n + 1));
    }
  });
}

TEST_P(nth_element_on, forks_in_any_schedule) {
  repeatedly([](draw& random) {
    const std::vector<int> values = random.numbers(2'000, 500);
    expect_selected(values, random(2'000));
    expect_partly_sorted(values, random(2'000));
  });
}

TEST_P(nth_element_on, loses_nothing_when_a_comparison_throws) {
  repeatedly([](draw& random) {
    expect_nothing_lost_when_a_comparison_throws(random, [](std::vector<fragile>& values) {
      filch::nth_element(values, values.begin() + std::ssize(values) / 2);
    });
  });
  EXPECT_EQ(fragile::living(), 0);
}

TEST_P(nth_element_on, leaks_nothing_when_a_move_throws) {
  repeatedly([](draw& random) {
    let_moves_throw(random, [](auto& values) {
      filch::nth_element(values, values.begin() + std::ssize(values) / 2);
    });
  });
  EXPECT_EQ(throws_on_move::living(), 0);
}

TEST(nth_element, stops_when_asked) {
  std::stop_source source;
  source.request_stop();
  draw random{1};
  std::vector<int> values = random.numbers(20'000, 1'000);
  EXPECT_THROW(filch::nth_element(with(source.get_token()), values, values.begin() + 7), stopped);
}

}  // namespace
}  // namespace filch::algo
