// Algorithms at the end of a chain of views.
#include <filch/algo/algo_test.hpp>
#include <filch/algo/fragile_test.hpp>

#include <algorithm>
#include <numeric>
#include <string>

namespace filch::inline v0_2::algo {
namespace {

class streams_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, streams_on, widths);

constexpr auto is_odd = [](int i) { return i % 2 != 0; };
constexpr auto negated = [](int i) { return -i; };

/// What `values | filter(is_odd) | transform(negated)` lets through, by the standard library.
std::vector<int> odd_ones_negated(const std::vector<int>& values) {
  std::vector<int> all;
  for (const int each : values) {
    if (is_odd(each)) all.push_back(-each);
  }
  return all;
}

auto chain_over(const std::vector<int>& values) {
  return values | views::filter(is_odd) | views::transform(negated);
}

TEST_P(streams_on, folds_are_those_of_the_elements_in_order) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 1'000), through = odd_ones_negated(values);
    const auto chain = chain_over(values);
    EXPECT_EQ(reduce(chain), std::accumulate(through.begin(), through.end(), 0));
    EXPECT_EQ(reduce(par, chain, 7L), std::accumulate(through.begin(), through.end(), 7L));
    EXPECT_EQ(transform_reduce(with(grain_items{5}), chain, std::size_t{0}, std::plus<>{},
                               [](int) { return std::size_t{1}; }),
              through.size());
    if (n > 5'000) return;
    std::string expected = "<";
    for (const int each : through) expected += std::to_string(each);
    EXPECT_EQ(transform_reduce(chain, std::string("<"), std::plus<>{},
                               [](int each) { return std::to_string(each); }),
              expected);
  });
}

TEST_P(streams_on, counts_and_searches_agree_with_those_of_the_standard) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 200), through = odd_ones_negated(values);
    const auto chain = chain_over(values);
    const auto is_wanted = [wanted = -static_cast<int>(random(200))](int each) {
      return each <= wanted;
    };
    EXPECT_EQ(count_if(chain, is_wanted), std::count_if(through.begin(), through.end(), is_wanted));
    EXPECT_EQ(find(chain, -51),
              std::ranges::count(through, -51) == 0 ? std::nullopt : std::optional(-51));
    EXPECT_EQ(count(chain, -51), std::count(through.begin(), through.end(), -51));
    EXPECT_EQ(any_of(chain, is_wanted), std::any_of(through.begin(), through.end(), is_wanted));
    EXPECT_EQ(all_of(chain, is_wanted), std::all_of(through.begin(), through.end(), is_wanted));
    EXPECT_EQ(none_of(chain, is_wanted), std::none_of(through.begin(), through.end(), is_wanted));
    const auto first = std::find_if(through.begin(), through.end(), is_wanted);
    EXPECT_EQ(find_if(chain, is_wanted),
              first == through.end() ? std::nullopt : std::optional(*first));
  });
}

TEST_P(streams_on, extremes_are_the_first_smallest_and_largest) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 50);
    using numbered = std::tuple<std::uint64_t, int>;
    const auto key = [](const auto& each) { return std::get<1>(each); };
    const auto chain =
        views::enumerate(values) | views::transform([](auto each) { return numbered(each); });
    const auto least = std::min_element(values.begin(), values.end()),
               most = std::max_element(values.begin(), values.end());
    const auto as_found = [&](auto at) {
      return at == values.end()
                 ? std::nullopt
                 : std::optional(numbered(static_cast<std::uint64_t>(at - values.begin()), *at));
    };
    EXPECT_EQ(min_element(chain, std::ranges::less{}, key), as_found(least));
    EXPECT_EQ(max_element(chain, std::ranges::less{}, key), as_found(most));
    const auto both = minmax_element(chain, std::ranges::less{}, key);
    EXPECT_EQ(both ? std::optional(both->min) : std::nullopt, as_found(least));
    EXPECT_EQ(both ? std::optional(both->max) : std::nullopt,
              as_found(std::minmax_element(values.begin(), values.end()).second));
  });
}

TEST_P(streams_on, for_each_sees_every_element_once) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<int> values = random.numbers(n, 100), expected = values;
    for_each(values | views::filter(is_odd), [](int& each) { each = 0; });
    for (int& each : expected) each = is_odd(each) ? 0 : each;
    EXPECT_EQ(values, expected);
  });
}

TEST_P(streams_on, a_chain_can_be_had_in_order) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 1'000);
    std::vector<int> through = odd_ones_negated(values);
    std::ranges::sort(through);
    EXPECT_EQ(sorted(chain_over(values)), through);
    std::ranges::reverse(through);
    EXPECT_EQ(sorted(par, chain_over(values), std::ranges::greater{}), through);
    EXPECT_EQ(sorted(with(grain_items{7}), chain_over(values), {}, std::negate<>{}), through);
  });
}

TEST_P(streams_on, a_range_is_left_as_it_is) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 1'000), before = values;
    std::vector<int> expected = values;
    std::ranges::sort(expected);
    EXPECT_EQ(sorted(values), expected);
    EXPECT_EQ(sorted(values.begin(), values.end(), {}), expected);
    EXPECT_EQ(values, before);
  });
}

TEST_P(streams_on, what_is_collected_leaks_nothing_wherever_a_copy_throws) {
  repeatedly([](draw& random) {
    {
      std::vector<fragile> in;
      for (const int each : random.numbers(40, 100)) in.emplace_back(each);
      const auto nothing_else_lives = [](bool) { ASSERT_EQ(fragile::live, 40); };
      fragile::at_every_step([&] { EXPECT_EQ(to<std::vector>(with(grain_items{7}), in), in); },
                             nothing_else_lives);
      fragile::at_every_step([&] { EXPECT_TRUE(is_sorted(sorted(with(grain_items{7}), in))); },
                             nothing_else_lives);
    }
    EXPECT_EQ(fragile::live, 0);
  });
}

TEST_P(streams_on, a_search_ends_early) {
  repeatedly([workers = GetParam()](draw&) {
    std::vector<int> values(2'000);
    std::iota(values.begin(), values.end(), 0);
    base::atomic<int> calls{0};
    const auto seen = values | views::transform([&](int each) {
                        calls.fetch_add(1, base::relaxed);
                        return each;
                      });
    EXPECT_EQ(find_if(with(grain_items{10}), seen, [](int each) { return each >= 30; }), 30);
    // Of several workers the one that holds the match may be delayed, while the others search on.
    EXPECT_LT(calls.load(base::relaxed), workers == 1 ? 60 : 2'002);
  });
}

}  // namespace
}  // namespace filch::algo
