#include <filch/algo/ranges/views.hpp>
#include <filch/algo/sort_test_values.hpp>
#include <filch/algo/top_k.hpp>
#include <filch/base/mutex.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

class top_k_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, top_k_on, widths);

/// One type for every order that a test makes up: each other type is one more top_k to compile,
/// which takes seconds.
using any_order = std::function<bool(int, int)>;

/// The beginning of what a stable sort gives.
template <class T, class Comp = std::ranges::greater, class Proj = std::identity>
std::vector<T> first_of_sorted(std::vector<T> values, std::size_t k, Comp comp = {},
                               Proj proj = {}) {
  std::ranges::stable_sort(values, comp, proj);
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(std::min(k, values.size())),
               values.end());
  return values;
}

TEST_P(top_k_on, gives_what_a_stable_sort_would_bring_to_the_front) {
  on_all_sizes([](std::size_t n, draw& random) {
    for (const arrangement_of_test each : all_arrangements) {
      const auto values = records<int>(arranged(each, n, random), as_number);
      const auto sorted = first_of_sorted(values, n, std::ranges::greater{}, &record<int>::key);
      for (const std::size_t k : {std::min<std::size_t>(n, 1), std::min<std::size_t>(n, random(20)),
                                  std::size_t{random(n + 1)}, n}) {
        const auto best = filch::top_k(values, k, std::ranges::greater{}, &record<int>::key);
        ASSERT_EQ(best.size(), k);
        ASSERT_TRUE(std::equal(best.begin(), best.end(), sorted.begin()))
            << "arrangement " << static_cast<int>(each) << ", k " << k;
      }
    }
  });
}

TEST_P(top_k_on, takes_comparison_projection_options_and_ends) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    const auto values = records<std::string>(random.numbers(n, 100), as_text);
    const auto key = &record<std::string>::key;
    const auto k = static_cast<int>(random(n + 5));
    EXPECT_EQ(filch::top_k(with(grain_items{7}), values, k, std::less<>{}, key),
              first_of_sorted(values, static_cast<std::size_t>(k), std::less<>{}, key));
    const std::vector<int> numbers = random.numbers(n, 1'000);
    EXPECT_EQ(filch::top_k(par, numbers.begin(), numbers.end(), 5), first_of_sorted(numbers, 5));
    EXPECT_EQ(filch::top_k(numbers, std::numeric_limits<std::uint64_t>::max()),
              first_of_sorted(numbers, n))
        << "more than there are";
    EXPECT_TRUE(filch::top_k(numbers, -1).empty());
  });
}

TEST_P(top_k_on, goes_through_proxies) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<int> values = random.numbers(n, 50);
    const guarded_iterator first(values, 0);
    EXPECT_EQ(filch::top_k(first, first + static_cast<std::ptrdiff_t>(n), 10, std::less<int>{}),
              first_of_sorted(values, 10, std::less<>{}));
    std::vector<bool> bits(n);
    for (std::size_t i = 0; i != n; ++i) bits[i] = values[i] % 7 == 0;
    const auto ones = static_cast<std::size_t>(std::count(bits.begin(), bits.end(), true));
    const auto best = filch::top_k(bits, 3);
    EXPECT_EQ(std::count(best.begin(), best.end(), true),
              static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, ones)));
  });
}

TEST_P(top_k_on, of_a_stream_keeps_the_order_of_equal_elements_even_from_one_place) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    const std::vector<int> lengths = random.numbers(n, 4);
    const auto spread = [](int length) {
      return records<int>(std::vector<int>(static_cast<std::size_t>(length), length), as_number);
    };
    std::vector<record<int>> all;
    for (const int length : lengths) {
      for (const auto& each : spread(length)) all.push_back(each);
    }
    const std::size_t k = random(all.size() + 2);
    const auto key = &record<int>::key;
    EXPECT_EQ(filch::top_k(lengths | views::flat_map(spread), k, std::ranges::greater{}, key),
              first_of_sorted(all, k, std::ranges::greater{}, key));
    const auto is_odd = [](int length) { return length % 2 != 0; };
    std::erase_if(all, [&](const auto& each) { return !is_odd(each.key); });
    EXPECT_EQ(filch::top_k(par, lengths | views::filter(is_odd) | views::flat_map(spread), k,
                           std::ranges::greater{}, key),
              first_of_sorted(all, k, std::ranges::greater{}, key));
  });
}

TEST_P(top_k_on, of_enumerated_elements_tells_where_they_are) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 100);
    std::size_t found = 0;
    for (const auto& [place, value] :
         filch::top_k(views::enumerate(values), 9, std::greater<>{},
                      [](const auto& each) { return std::get<1>(each); })) {
      ASSERT_EQ(values[place], value);
      ++found;
    }
    EXPECT_EQ(found, std::min<std::size_t>(n, 9));
  });
}

TEST_P(top_k_on, moves_what_a_stream_makes) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    const std::vector<int> values = random.numbers(n, 1'000);
    const auto boxed =
        values | views::transform([](int each) { return std::make_unique<int>(each); });
    const auto best =
        filch::top_k(boxed, 20, std::greater<>{}, [](const auto& each) { return *each; });
    EXPECT_TRUE(std::ranges::equal(best, first_of_sorted(values, 20), {},
                                   [](const auto& each) { return *each; }));
  });
}

TEST_P(top_k_on, leaks_nothing_when_a_comparison_or_a_copy_throws) {
  repeatedly([](draw& random) {
    const auto best_of = [](const auto& values) {
      EXPECT_EQ(filch::top_k(with(grain_items{16}), values, 40).size(),
                std::min<std::size_t>(values.size(), 40));
    };
    const auto comparing = with_random_keys<fragile>(500, random);
    for (std::uint64_t quiet = 0; quiet < 3'000; quiet += 1 + random(400)) {
      fragile::throw_after(quiet);
      try {
        best_of(comparing);
        EXPECT_GT(quiet, 400u);
      } catch (const fragile::broken&) {
      }
      fragile::never_throw();
    }
    let_moves_throw(random, best_of);
  });
  EXPECT_EQ(fragile::living(), 0);
  EXPECT_EQ(throws_on_move::living(), 0);
}

TEST_P(top_k_on, stays_inside_however_senseless_the_comparison) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> values = random.numbers(n, 1'000);
    const any_order senseless = [](int a, int b) { return (a * 7919 + b * 104729) % 3 == 0; };
    EXPECT_EQ(filch::top_k(values, 100, senseless).size(), std::min<std::size_t>(n, 100));
  });
}

TEST_P(top_k_on, stops_when_asked) {
  repeatedly([](draw& random) {
    std::stop_source source;
    const std::vector<int> values = random.numbers(2'000, 100);
    // Otherwise a worker that loses its processor before it asks lets the others finish
    base::mutex asking;
    std::uint64_t made = 0;
    const any_order less = [&](int a, int b) {
      base::lock_guard guard{asking};
      if (++made == 1'000) source.request_stop();
      return a < b;
    };
    EXPECT_THROW(filch::top_k(with(source.get_token(), grain_items{10}), values, 5, less), stopped);
  });
}

TEST(top_k, turns_away_what_equals_the_last_one_by_one_comparison) {
  const std::vector<int> values(100'000, 7);
  std::uint64_t made = 0;
  thread_pool pool({.workers = 1});
  const any_order counted = [&](int a, int b) {
    ++made;
    return a > b;
  };
  EXPECT_EQ(filch::top_k(with(pool), values, 10, counted), std::vector<int>(10, 7));
  EXPECT_LT(made, 102'000u);
}

TEST(top_k, gives_the_values_of_the_range_however_it_is_given) {
  int numbers[] = {3, 1, 2};
  EXPECT_EQ(filch::top_k(numbers, 2), (std::vector<int>{3, 2}));
  static_assert(std::same_as<decltype(filch::top_k(std::vector<long>{}, 2)), std::vector<long>>);
  static_assert(std::same_as<decltype(filch::top_k(views::enumerate(numbers), 2u)),
                             std::vector<std::tuple<std::uint64_t, int>>>);
}

}  // namespace
}  // namespace filch::algo
