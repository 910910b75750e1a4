#include <filch/algo/algo_test.hpp>
#include <filch/algo/integer_sort.hpp>
#include <filch/algo/sort_test_values.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

class integer_sort_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, integer_sort_on, widths);

struct broken_key {};

template <class Key>
void expect_sorted_by_key(std::size_t n, const auto& make_key) {
  std::vector<record<Key>> values(n);
  for (int i = 0; auto& each : values) each = {static_cast<Key>(make_key()), i++};
  auto expected = values;
  std::ranges::stable_sort(expected, {}, &record<Key>::key);
  EXPECT_EQ(filch::integer_sort(values, &record<Key>::key), values.end());
  ASSERT_EQ(values, expected);
}

TEST_P(integer_sort_on, agrees_with_std_for_keys_of_any_type) {
  on_all_sizes([](std::size_t n, draw& random) {
    expect_sorted_by_key<std::uint64_t>(n, [&] { return random(); });
    expect_sorted_by_key<std::int64_t>(n, [&] { return random(); });
    expect_sorted_by_key<std::int8_t>(n, [&] { return random(); });
    expect_sorted_by_key<bool>(n, [&] { return random(2); });
    expect_sorted_by_key<int>(n, [&] { return 1'000 - static_cast<int>(random(2'000)); });
    expect_sorted_by_key<std::uint64_t>(n, [&] { return random(3) << random(64); });
    expect_sorted_by_key<std::uint16_t>(n, [&] { return 7; });
  });
}

TEST_P(integer_sort_on, sorts_the_elements_themselves_in_every_arrangement) {
  on_all_sizes([](std::size_t n, draw& random) {
    for (const arrangement_of_test each : all_arrangements) {
      std::vector<int> values = arranged(each, n, random);
      auto expected = values;
      std::sort(expected.begin(), expected.end());
      filch::integer_sort(par, values.begin(), values.end());
      ASSERT_EQ(values, expected);
    }
  });
}

TEST_P(integer_sort_on, moves_what_is_not_plain) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    std::vector<std::unique_ptr<std::string>> values(n);
    for (auto& each : values) each = std::make_unique<std::string>(random(n), 'x');
    filch::integer_sort(values, [](const auto& each) { return each->size(); });
    ASSERT_TRUE(std::ranges::is_sorted(values, {}, [](const auto& each) { return each->size(); }));
  });
}

TEST_P(integer_sort_on, forks_in_any_schedule) {
  repeatedly(
      [](draw& random) { expect_sorted_by_key<std::uint64_t>(700, [&] { return random(); }); });
}

/// Sorts pointers by a projection that throws at call number `quiet`.
void expect_nothing_lost_when_the_projection_throws(std::int64_t quiet,
                                                    const std::vector<int>& keys) {
  std::vector<std::unique_ptr<int>> values;
  for (const int each : keys) values.push_back(std::make_unique<int>(each));
  base::atomic<std::int64_t> left{quiet};
  try {
    filch::integer_sort(values, [&left](const auto& each) {
      if (left.fetch_sub(1, base::relaxed) == 0) throw broken_key{};
      return *each;
    });
  } catch (broken_key) {
  }
  std::vector<int> kept;
  for (const auto& each : values) {
    if (each) kept.push_back(*each);
  }
  ASSERT_EQ(sorted_copy(kept), sorted_copy(keys)) << keys.size() << " elements, call " << quiet;
}

TEST_P(integer_sort_on, loses_nothing_when_the_projection_throws) {
  repeatedly([](draw& random) {
    for (const std::size_t n : {2, 16, 17, 100, 700}) {
      const std::vector<int> keys = random.numbers(n, 100'000);
      for (std::uint64_t quiet = random(1 + n / 5); quiet < 12 * n; quiet += 1 + random(n)) {
        expect_nothing_lost_when_the_projection_throws(static_cast<std::int64_t>(quiet), keys);
      }
    }
  });
}

#if !defined(FILCH_TESTING)
TEST_P(integer_sort_on,
       loses_nothing_when_the_projection_throws_while_chunks_are_distributed_side_by_side) {
  repeatedly([](draw& random) {
    // Counted by the calls from 2 n on, and moved by those from 3 n on
    constexpr std::uint64_t n = 1u << 17;
    expect_nothing_lost_when_the_projection_throws(static_cast<std::int64_t>(n + random(3 * n)),
                                                   random.numbers(n, 1 << 30));
  });
}
#endif

TEST_P(integer_sort_on, leaks_nothing_when_a_move_throws) {
  repeatedly([](draw& random) {
    let_moves_throw(random,
                    [](auto& values) { filch::integer_sort(values, &throws_on_move::key); });
  });
  EXPECT_EQ(throws_on_move::living(), 0);
}

TEST_P(integer_sort_on, loses_nothing_when_stopped_meanwhile) {
  repeatedly([](draw& random) {
    const auto stopped_within = [&](auto values, auto key_of) {
      std::stop_source source;
      base::atomic<std::uint64_t> made{0};
      const std::uint64_t quiet = random(30'000);
      auto expected = values;
      try {
        filch::integer_sort(with(source.get_token()), values, [&](const auto& each) {
          if (made.fetch_add(1, base::relaxed) == quiet) source.request_stop();
          return key_of(each);
        });
      } catch (const stopped&) {
      }
      std::sort(values.begin(), values.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(values, expected);
    };
    const std::vector<int> numbers = random.numbers(9'000, 2);
    std::vector<std::string> texts;
    for (const int each : numbers) texts.push_back(std::to_string(each));
    stopped_within(numbers, [](int each) { return each; });
    stopped_within(texts, [](const std::string& each) { return each[0]; });
  });
}

}  // namespace
}  // namespace filch::algo
