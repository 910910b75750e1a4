// Loops on real workers and under the deterministic scheduler, and leaves that turn out to be
// expensive.
#include <filch/algo/algo_test.hpp>
#include <filch/base/sanitized_test.hpp>

#include <atomic>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace filch::inline v0_2::algo {
namespace {

class parallel_for_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, parallel_for_on, widths);

TEST_P(parallel_for_on, every_index_and_element_is_visited_once) {
  on_all_sizes([](std::size_t n, draw&) {
    std::vector<int> seen(n);
    parallel_for(std::size_t{0}, n, [&](std::size_t i) { ++seen[i]; });
    parallel_for(seen, [](int& each) { each *= 10; });
    parallel_for(seen.begin(), seen.end(), [](iterator_range<std::vector<int>::iterator> chunk) {
      for (int& each : chunk) ++each;
    });
    parallel_for(seen, [](std::ranges::range auto chunk) {
      for (int& each : chunk) ++each;
    });
    EXPECT_EQ(seen, std::vector<int>(n, 12));
  });
}

TEST_P(parallel_for_on, a_reduction_keeps_the_order) {
  on_all_sizes([](std::size_t n, draw&) {
    if (n > 5'000) return;
    std::string expected;
    for (std::size_t i = 0; i < n; ++i) expected += std::to_string(i) + ' ';
    EXPECT_EQ(parallel_reduce(
                  std::size_t{0}, n, std::string(),
                  [](std::size_t i) { return std::to_string(i) + ' '; }, std::plus<>{}),
              expected);
    std::vector<std::string> words(n);
    for (std::size_t i = 0; i < n; ++i) words[i] = std::to_string(i) + ' ';
    EXPECT_EQ(parallel_reduce(words, std::string(), std::identity{}, std::plus<>{}), expected);
    EXPECT_EQ(
        parallel_reduce(with(deterministic), words, std::string(), std::identity{}, std::plus<>{}),
        expected);
  });
}

TEST_P(parallel_for_on, loops_nest_and_the_lowest_exception_wins) {
  repeatedly([](draw& random) {
    const int bad = static_cast<int>(random(12)), worse = static_cast<int>(random(12));
    std::atomic<int> ran{0};
    try {
      parallel_for(0, 12, [&](int row) {
        parallel_for(0, 12, [&](int) { ++ran; });
        if (row == bad || row == worse) throw row;
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (int thrown) {
      EXPECT_EQ(thrown, std::min(bad, worse));
    }
    EXPECT_LE(ran, 144);
  });
}

TEST_P(parallel_for_on, indices_beyond_32_bits_are_all_covered) {
  repeatedly([](draw& random) {
    const std::uint64_t first = (std::uint64_t{1} << 40) + random(1'000),
                        count = (std::uint64_t{1} << 36) + random(1'000);
    std::atomic<std::uint64_t> covered{0}, sum_of_ends{0};
    parallel_for(with(grain_items{std::uint64_t{1} << 30}), first, first + count,
                 [&](index_range<std::uint64_t> chunk) {
                   covered += chunk.size();
                   sum_of_ends += chunk.last() - chunk.first();
                 });
    EXPECT_EQ(covered, count);
    EXPECT_EQ(sum_of_ends, count);
    EXPECT_EQ(parallel_reduce(
                  first, first + 1'000, std::uint64_t{0},
                  [&](std::uint64_t i) { return i - first; }, std::plus<>{}),
              499'500u);
  });
}

#if !defined(FILCH_TESTING)  // a clock that stands still finds nothing expensive
void burn(std::uint64_t us) {
  for (const std::uint64_t begin = base::now_ns(); base::now_ns() - begin < us * 1'000;)
    base::cpu_relax();
}

TEST(patience, ends_a_leaf_that_is_dear_and_whose_worker_was_asked) {
  thread_pool pool({.workers = 1});
  pool.run([] {
    failure none;
    patience until(4'096, log2_element_chunks, base::ticks(), none, 0);
    loop_range<std::uint64_t> left{100, 4'096};
    std::uint64_t next = 100;
    until.walk(left, [&](std::uint64_t from, std::uint64_t to) {
      EXPECT_EQ(from, next);
      next = to;
      if (from <= 1'000 && 1'000 < to) {
        sched::current_stack->request_work();
        burn(200);
      }
    });
    EXPECT_EQ(left.first, next);
    EXPECT_GT(next, 1'000u);
    EXPECT_LE(next, 1'000u + 4'096 / 32);
    EXPECT_EQ(left.last(), 4'196u);
  });
}

TEST(patience, has_no_end_while_nobody_asks) {
  thread_pool pool({.workers = 1});
  pool.run([] {
    failure none;
    patience until(256, log2_element_chunks, base::ticks(), none, 0);
    loop_range<int> left{0, 256};
    until.walk(left, [](int from, int) {
      if (from < 4) burn(100);
    });
    EXPECT_EQ(left.count, 0u);
  });
}

TEST(patience, what_a_dear_leaf_leaves_over_is_a_loop_of_its_own) {
  thread_pool pool({.workers = 1});
  std::uint64_t handed_over = 0, next_chunk = 0;
  bool in_order = true;  // an EXPECT in each chunk would cost too much
  // Of all, from first to last: nothing commutes
  using range = std::pair<std::uint64_t, std::uint64_t>;
  const auto begin = [](std::uint64_t at) { return range{at, at + 1}; };
  const auto add = [&](range& sum, std::uint64_t from, std::uint64_t to) {
    in_order &= std::exchange(sum.second, to) == from;
    if (handed_over != 0 && next_chunk == 0) next_chunk = to - from;
    // A chunk of eight is the first of a leaf of 256 or more. If leaves only halved, the next would
    // have chunks of four.
    if (handed_over != 0 || to - from < 8) return;
    handed_over = to;
    sched::current_stack->request_work();
    burn(200);
  };
  constexpr std::uint64_t count = 200'000;
  const auto combine = [&](const range& left, const range& right) {
    in_order &= left.second == right.first;
    return range{left.first, right.second};
  };
  std::optional<range> sum;
  const element_fold<range, std::uint64_t, decltype(begin), decltype(add)> leaf{begin, add};
  pool.run(
      [&] { fold_here({}, std::uint64_t{0}, count, log2_element_chunks, sum, leaf, combine); });
  EXPECT_EQ(sum, (range{0, count}));
  EXPECT_TRUE(in_order);
  if (base::is_sanitized && handed_over == 0) GTEST_SKIP() << "with a sanitizer no leaf is so long";
  ASSERT_NE(handed_over, 0u) << "no leaf had so many elements";
  EXPECT_EQ(next_chunk, 1u) << "a leaf as long as the one before";
}
#endif

}  // namespace
}  // namespace filch::algo
