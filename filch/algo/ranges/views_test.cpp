#include <filch/algo/algo_test.hpp>

#include <filch/algo/ranges/to.hpp>
#include <filch/algo/ranges/views.hpp>

#include <algorithm>
#include <atomic>
#include <list>
#include <memory>
#include <numeric>
#include <ranges>
#include <string>

namespace filch::inline v0_2::algo {
namespace {

class views_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, views_on, widths);

constexpr auto is_even = [](int i) { return i % 2 == 0; };
constexpr auto times_ten = [](int i) { return 10 * i; };

TEST_P(views_on, chains_let_through_what_their_links_would_one_after_the_other) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 100);
    std::vector<int> expected;
    for (const int each : values) {
      if (is_even(each) && 10 * each < 500) expected.push_back(10 * each);
    }
    EXPECT_EQ(values | views::filter(is_even) | views::transform(times_ten) |
                  views::filter([](int i) { return i < 500; }) | to<std::vector>(),
              expected);
  });
}

TEST_P(views_on, flat_map_gives_what_is_in_each_range) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 70'000) return;
    const std::vector<int> lengths = random.numbers(n, 4);
    std::vector<int> expected;
    for (const int length : lengths) {
      for (int i = 0; i < length; ++i) expected.push_back(length);
    }
    const auto repeat = [](int length) {
      return std::vector<int>(static_cast<std::size_t>(length), length);
    };
    EXPECT_EQ(to<std::vector>(with(grain_items{3}), lengths | views::flat_map(repeat)), expected);
  });
}

TEST_P(views_on, zip_goes_as_far_as_the_shortest_and_refers_to_elements) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<int> a = random.numbers(n, 100), b = random.numbers(n + random(3), 100);
    std::vector<int> expected;
    for (std::size_t i = 0; i < n; ++i) expected.push_back(a[i] * b[i]);
    const auto product = [](auto pair) { return std::get<0>(pair) * std::get<1>(pair); };
    EXPECT_EQ(views::zip(a, b) | views::transform(product) | to<std::vector>(), expected);
  });
}

TEST_P(views_on, enumerate_numbers_elements_also_for_a_filter_behind_it) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 3);
    std::vector<std::uint64_t> expected;
    for (std::size_t i = 0; i < n; ++i) {
      if (values[i] == 1) expected.push_back(i);
    }
    EXPECT_EQ(views::enumerate(values) |
                  views::filter([](const auto& each) { return std::get<1>(each) == 1; }) |
                  views::transform([](const auto& each) { return std::get<0>(each); }) |
                  to<std::vector>(),
              expected);
  });
}

TEST_P(views_on, chunks_cover_everything_in_order) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 100);
    const std::uint64_t length = random(12);
    const auto chunks =
        views::chunk(values, length) |
        views::transform([](auto chunk) { return std::vector<int>(chunk.begin(), chunk.end()); }) |
        to<std::vector>();
    std::vector<int> all;
    for (const auto& each : chunks) {
      EXPECT_TRUE(each.size() == std::max<std::uint64_t>(length, 1) || &each == &chunks.back());
      all.insert(all.end(), each.begin(), each.end());
    }
    EXPECT_EQ(all, values);
  });
}

TEST(views, keep_a_temporary_range_and_refer_to_one_with_a_name) {
  auto chain = std::vector<int>{1, 2, 3, 4} | views::filter(is_even);
  EXPECT_EQ(chain | to<std::vector>(), (std::vector<int>{2, 4}));
  std::vector<int> named{1, 2};
  const auto doubled = named | views::transform([](int i) { return 2 * i; });
  named[0] = 5;
  EXPECT_EQ(to<std::vector>(doubled), (std::vector<int>{10, 4}));
}

TEST(views, may_end_in_any_container_and_move_what_cannot_be_copied) {
  const std::vector<int> values{3, 1, 2};
  EXPECT_EQ(values | views::transform(times_ten) | to<std::list>(), (std::list<int>{30, 10, 20}));
  const auto owners =
      values | views::transform([](int i) { return std::make_unique<int>(i); }) | to<std::vector>();
  ASSERT_EQ(owners.size(), 3u);
  EXPECT_EQ(*owners[2], 2);
}

TEST(views, keep_values_of_what_only_refers_to_them) {
  const std::vector<bool> bits{true, false, true};
  const auto kept = bits | views::filter([](bool bit) { return bit; }) | to<std::vector>();
  static_assert(std::same_as<decltype(kept), const std::vector<bool>>);
  EXPECT_EQ(kept, (std::vector<bool>{true, true}));
  const std::vector<int> numbers{3, 4};
  auto numbered = views::enumerate(numbers) | to<std::vector>();
  static_assert(std::same_as<decltype(numbered), std::vector<std::tuple<std::uint64_t, int>>>);
  std::swap(numbered[0], numbered[1]);  // of their own: the numbers stay
  EXPECT_EQ(numbered, (std::vector<std::tuple<std::uint64_t, int>>{{1, 4}, {0, 3}}));
  EXPECT_EQ(views::zip(numbers, bits) | to<std::vector>(),
            (std::vector<std::tuple<int, bool>>{{3, true}, {4, false}}));
}

TEST(views, show_elements_of_a_temporary_as_const) {
  const auto only_const = [](auto&& each) {
    return std::is_const_v<std::remove_reference_t<decltype(each)>>;
  };
  EXPECT_EQ(std::vector<int>{1} | views::transform(only_const) | to<std::vector>(),
            std::vector<bool>{true});
}

#if !defined(__clang__) || \
    __clang_major__ >= 16  // clang 14 and 15 do not compile the views of libstdc++ 12
TEST_P(views_on, of_the_standard_are_ranges_as_any_other) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> data = random.numbers(n, 100);
    const auto taken = static_cast<std::ptrdiff_t>(random(n + 1)),
               dropped = static_cast<std::ptrdiff_t>(random(n + 1));
    const auto seen = data | std::views::transform(times_ten) | std::views::take(taken) |
                      std::views::drop(dropped);
    const std::vector<int> expected(seen.begin(), seen.end());
    EXPECT_EQ(reduce(seen), std::accumulate(expected.begin(), expected.end(), 0));
    std::atomic<int> sum{0};
    EXPECT_EQ(for_each(seen, [&](int each) { sum += each; }), seen.end());
    EXPECT_EQ(sum, reduce(seen));
    const auto is_large = [](int each) { return each > 970; };
    EXPECT_EQ(find_if(seen, is_large) - seen.begin(),
              std::ranges::find_if(expected, is_large) - expected.begin());
    std::vector<int> out(expected.size()), sums(expected.size());
    EXPECT_EQ(copy(seen, out.begin()).out, out.end());
    EXPECT_EQ(out, expected);
    inclusive_scan(seen, out.begin());
    std::partial_sum(expected.begin(), expected.end(), sums.begin());
    EXPECT_EQ(out, sums);
    EXPECT_EQ(reduce(std::views::iota(0, static_cast<int>(n)), 0L),
              static_cast<long>(n) * (static_cast<long>(n) - 1) / 2);
  });
}
#endif

TEST_P(views_on, rethrow_what_their_functions_throw) {
  repeatedly([](draw& random) {
    const std::vector<int> values = random.numbers(200, 100);
    const auto fails = [](int i) -> int { return i == 50 ? throw std::string("fifty") : i; };
    const bool has_fifty = std::count(values.begin(), values.end(), 50) != 0;
    try {
      EXPECT_EQ(values | views::transform(fails) | to<std::vector>(), values);
      EXPECT_FALSE(has_fifty);
    } catch (const std::string& thrown) {
      EXPECT_TRUE(has_fifty);
    }
  });
}

}  // namespace
}  // namespace filch::algo
