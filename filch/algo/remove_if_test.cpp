#include <filch/algo/algo_test.hpp>
#include <filch/algo/fragile_test.hpp>
#include <filch/algo/remove_if.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace filch::inline v0_2::algo {
namespace {

class removal_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, removal_on, widths);

settings any_grain(draw& random) {
  settings how;
  if (random(2) == 0) how.grain = 1 + random(200);
  how.is_deterministic = random(4) == 0;
  return how;
}

/// What is left of `all` when `rest` is cut off.
template <class T>
std::vector<T> kept(std::vector<T>& all, iterator_range<typename std::vector<T>::iterator> rest) {
  EXPECT_EQ(rest.end(), all.end());
  return {std::make_move_iterator(all.begin()), std::make_move_iterator(rest.begin())};
}

TEST_P(removal_on, keeps_what_std_keeps_in_order) {
  on_all_sizes([](std::size_t n, draw& random) {
    auto all = random.numbers(n, 100);
    const int bound = static_cast<int>(random(5) * 25);
    const auto is_low = [bound](int each) { return each < bound; };
    auto expected = all;
    std::erase_if(expected, is_low);
    EXPECT_EQ(kept(all, remove_if(any_grain(random), all, is_low)), expected);
  });
}

TEST_P(removal_on, drops_repetitions_across_all_seams) {
  on_all_sizes([](std::size_t n, draw& random) {
    const int kinds = 1 + static_cast<int>(random(4)) * 3;
    auto all = random.numbers(n, kinds);
    auto expected = all;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    EXPECT_EQ(kept(all, unique(any_grain(random), all.begin(), all.end())), expected);
  });
}

TEST_P(removal_on, moves_what_can_only_be_moved_and_asks_projections) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<std::unique_ptr<int>> all(n);
    std::vector<int> evens, runs;
    for (auto& each : all) {
      each = std::make_unique<int>(static_cast<int>(random(4)));
      if (*each % 2 != 0) continue;
      evens.push_back(*each);
      if (runs.empty() || runs.back() != *each) runs.push_back(*each);
    }
    const auto value = [](const std::unique_ptr<int>& each) { return *each; };
    const auto values = [&](const auto& pointers) {
      std::vector<int> numbers;
      for (const auto& each : pointers) numbers.push_back(value(each));
      return numbers;
    };
    auto left =
        kept(all, remove_if(
                      any_grain(random), all, [](int each) { return each % 2 != 0; }, value));
    EXPECT_EQ(values(left), evens);
    EXPECT_EQ(values(kept(left, unique(any_grain(random), left, {}, value))), runs);
  });
}

TEST_P(removal_on, compares_strings_that_have_not_been_moved) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<std::string> all(n);
    for (auto& each : all) each = std::string(30, static_cast<char>('a' + random(2)));
    auto expected = all;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    EXPECT_EQ(kept(all, unique(any_grain(random), all)), expected);
  });
}

/// The numbers above 0, in order; one that was moved from has -1.
std::vector<int> positive_ones(const std::vector<fragile>& of) {
  std::vector<int> all;
  for (const fragile& each : of) {
    if (each.number() > 0) all.push_back(each.number());
  }
  return all;
}

TEST_P(removal_on, loses_nothing_that_stays_wherever_it_throws) {
  repeatedly([](draw& random) {
    constexpr std::size_t n = 70;
    {
      std::vector<fragile> all;
      for (std::size_t i = 0; i != n; ++i)
        all.emplace_back(static_cast<int>(random(30) / 10 * random(30)));
      const std::vector<int> staying = positive_ones(all);
      const auto is_no_positive_copy = [](fragile each) { return each.number() <= 0; };
      fragile::at_every_step([&] { remove_if(with(grain_items{8}), all, is_no_positive_copy); },
                             [&](bool) {
                               ASSERT_EQ(positive_ones(all), staying);
                               ASSERT_EQ(fragile::live, static_cast<int>(n));
                             });
      const auto is_same_by_copy = [](fragile a, const fragile& b) { return a == b; };
      fragile::at_every_step([&] { unique(with(grain_items{8}), all, is_same_by_copy); },
                             [&](bool) { ASSERT_EQ(fragile::live, static_cast<int>(n)); });
    }
    EXPECT_EQ(fragile::live, 0);
  });
}

TEST_P(removal_on, a_stop_that_was_asked_for_ends_it) {
  repeatedly([](draw& random) {
    std::stop_source source;
    auto all = random.numbers(2'000, 100);
    const auto stop_at_once = [&](int) { return !source.request_stop() && false; };
    EXPECT_THROW(remove_if(with(source.get_token(), grain_items{10}), all, stop_at_once), stopped);
    EXPECT_THROW(unique(with(source.get_token()), all), stopped);
  });
}

}  // namespace
}  // namespace filch::algo
