#include <filch/algo.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using filch::parallel_for;
using filch::parallel_reduce;
using filch::thread_pool;

class loop_on : public testing::TestWithParam<unsigned> {
 protected:
  thread_pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(workers, loop_on, testing::Values(1u, 2u, 5u));

TEST_P(loop_on, visits_every_index_of_every_small_range_exactly_once) {
  pool.run([] {
    for (int n = 0; n <= 300; ++n) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(n));
      parallel_for(0, n, [&](int i) { ++seen[static_cast<std::size_t>(i)]; });
      for (const auto& each : seen) ASSERT_EQ(each, 1) << "of " << n;
    }
  });
}

TEST_P(loop_on, passes_chunks_to_bodies_that_take_ranges) {
  std::atomic<long> sum{0};
  std::atomic<int> chunks{0};
  pool.run([&] {
    parallel_for(0L, 100'000L, [&](filch::index_range<long> chunk) {
      ++chunks;
      long mine = 0;
      for (const long i : chunk) mine += i;
      sum += mine;
    });
  });
  EXPECT_EQ(sum, 99'999L * 50'000);
  EXPECT_GE(chunks, 2);
}

TEST_P(loop_on, gives_references_to_the_elements_of_a_range) {
  std::vector<int> values(10'000, 1);
  pool.run([&] { parallel_for(values, [](int& each) { each = 2; }); });
  parallel_for(values.begin(), values.end(), [](int& each) { each += 1; });
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0), 30'000);
}

TEST_P(loop_on, does_nothing_for_empty_and_inverted_ranges) {
  int ran = 0;
  pool.run([&] {
    parallel_for(5, 5, [&](int) { ++ran; });
    parallel_for(5, -5, [&](int) { ++ran; });
    parallel_for(5u, 3u, [&](unsigned) { ++ran; });
    EXPECT_EQ(parallel_reduce(
                  7, 7, 42, [](int i) { return i; }, std::plus<>{}),
              42);
  });
  EXPECT_EQ(ran, 0);
}

TEST_P(loop_on, counts_correctly_across_the_whole_width_of_a_type) {
  using small = std::int8_t;
  std::atomic<int> ran{0};
  pool.run([&] {
    parallel_for(std::numeric_limits<small>::min(), std::numeric_limits<small>::max(),
                 [&](small) { ++ran; });
  });
  EXPECT_EQ(ran, 255);
  const std::uint64_t steps = pool.run([] {
    return parallel_reduce(
        std::numeric_limits<int>::min(), std::numeric_limits<int>::min() + 1000, std::uint64_t{0},
        [](int) { return std::uint64_t{1}; }, std::plus<>{});
  });
  EXPECT_EQ(steps, 1000u);
}

TEST_P(loop_on, counts_in_the_common_type_of_two_kinds_of_integers) {
  std::vector<std::atomic<int>> seen(1'000);
  pool.run([&] {
    parallel_for(0, seen.size(), [&](auto i) {
      static_assert(std::same_as<decltype(i), std::size_t>);
      ++seen[i];
    });
    parallel_for(std::int8_t{0}, seen.size(), [&](std::size_t i) { ++seen[i]; });
    parallel_for(seen.size() - 1'000, 1'000, [&](std::size_t i) { ++seen[i]; });
    parallel_for(0, 1'000L, [&](auto i) {
      static_assert(std::same_as<decltype(i), long>);
      ++seen[static_cast<std::size_t>(i)];
    });
    parallel_for(filch::par, 0, seen.size(), [&](filch::index_range<std::size_t> chunk) {
      for (const std::size_t i : chunk) ++seen[i];
    });
    filch::reducer<std::size_t, std::plus<>> sum;
    sum.over(0, seen.size(), [](std::size_t i, std::size_t& view) { view += i; });
    EXPECT_EQ(sum.value(), 499'500u);
    EXPECT_EQ(parallel_reduce(
                  0, seen.size(), std::size_t{0}, [](std::size_t i) { return i; }, std::plus<>{}),
              499'500u);
    EXPECT_EQ(parallel_reduce(
                  std::uint16_t{0}, 1'000, 0, [](int i) { return i; }, std::plus<>{}),
              499'500);
    EXPECT_EQ(parallel_reduce(
                  -3, std::int64_t{3}, 0L, [](long i) { return i; }, std::plus<>{}),
              -3);
  });
  for (const auto& each : seen) ASSERT_EQ(each, 5);
}

TEST_P(loop_on, counts_a_box_in_the_common_type_of_its_sides) {
  std::atomic<std::size_t> sum{0};
  const std::vector<int> columns(7);
  pool.run([&] {
    parallel_for(
        filch::blocked_range(filch::index_range(0, 3), filch::index_range(0, columns.size())),
        [&](std::size_t row, std::size_t column) { sum += 10 * row + column; });
  });
  EXPECT_EQ(sum, 3u * 21 + 7 * 30);
}

TEST_P(loop_on, refuses_a_begin_below_zero_before_an_end_without_sign) {
  using filch::blocked_range;
  using filch::index_range;
  pool.run([] {
    int ran = 0;
    const auto count = [&](auto...) { ++ran; };
    EXPECT_THROW(parallel_for(-1, std::size_t{5}, count), std::invalid_argument);
    EXPECT_THROW(parallel_for(filch::par, -1L, 5u + 0ull, count), std::invalid_argument);
    EXPECT_THROW(parallel_reduce(
                     -1, 5u, 0, [](unsigned i) { return static_cast<int>(i); }, std::plus<>{}),
                 std::invalid_argument);
    EXPECT_THROW(index_range(-1, 5u), std::invalid_argument);
    EXPECT_THROW(blocked_range(index_range(-2, -1), index_range(0u, 3u)), std::invalid_argument);
    // Nothing lies between these.
    parallel_for(0u, -1, count);
    parallel_for(std::size_t{5}, -5, count);
    parallel_for(blocked_range(index_range(-2, -2), index_range(0u, 3u)), count);
    parallel_for(blocked_range(index_range(0u, 3u), index_range(5u, -1)), count);
    EXPECT_EQ(ran, 0);
  });
}

TEST(loop, tells_of_which_begin_it_was_refused) {
  try {
    parallel_for(-7, std::size_t{5}, [](std::size_t) {});
    FAIL();
  } catch (const std::invalid_argument& refused) {
    EXPECT_NE(std::string(refused.what()).find("from -7 to an end without sign"), std::string::npos)
        << refused.what();
  }
}

TEST(loop, of_four_thousand_million_steps_knows_its_length) {
  EXPECT_EQ(filch::algo::distance(-2'000'000'000, 2'000'000'000), 4'000'000'000u);
  EXPECT_EQ(filch::algo::advance(-2'000'000'000, 4'000'000'000u), 2'000'000'000);
  static_assert(filch::index_range(-2'000'000'000, 2'000'000'000).size() == 4'000'000'000u);
}

TEST_P(loop_on, reduces_in_order_so_that_combine_need_not_commute) {
  const std::string text = pool.run([] {
    return parallel_reduce(
        0, 2000, std::string("<"),
        [](int i) { return std::string(1, static_cast<char>('a' + i % 26)); }, std::plus<>{});
  });
  ASSERT_EQ(text.size(), 2001u);
  for (std::size_t i = 0; i < 2000; ++i) ASSERT_EQ(text[i + 1], static_cast<char>('a' + i % 26));
}

TEST_P(loop_on, reduces_results_that_can_only_be_moved) {
  const auto most = pool.run([] {
    return parallel_reduce(
        0, 1000, std::make_unique<int>(-1), [](int i) { return std::make_unique<int>(i); },
        [](std::unique_ptr<int> a, std::unique_ptr<int> b) {
          return *a > *b ? std::move(a) : std::move(b);
        });
  });
  EXPECT_EQ(*most, 999);
}

TEST_P(loop_on, rethrows_the_exception_of_the_lowest_chunk) {
  for (int round = 0; round < 20; ++round) {
    try {
      pool.run([] {
        parallel_for(0, 2000, [](int i) {
          if (i == 1999 || i == 3) throw i;
        });
      });
      FAIL() << "nothing was thrown";
    } catch (int thrown) {
      EXPECT_EQ(thrown, 3);
    }
  }
}

TEST_P(loop_on, nests) {
  std::vector<std::vector<long>> table(40, std::vector<long>(400));
  pool.run([&] {
    parallel_for(0, 40, [&](int row) {
      parallel_for(0, 400, [&](int column) {
        table[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = row * column;
      });
    });
  });
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 400; ++column) {
      ASSERT_EQ(table[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)],
                row * column);
    }
  }
}

}  // namespace
