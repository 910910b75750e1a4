#include <filch/filch.hpp>
#include <filch/span/spent_time_test.hpp>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace filch::inline v0_2::span {
namespace {

const algo::settings one_by_one = with(grain_items{1});

TEST(analyzed_algorithms, a_loop_has_one_body_as_span_and_a_fork_between_two) {
  const analysis::result found =
      analyze([] { parallel_for(one_by_one, 0, 1000, [](int) { spend(10); }); }, on_spent_time(1));
  EXPECT_EQ(found.forks, 999u);
  EXPECT_EQ(found.work_ns, 10'000 + 999);
  EXPECT_EQ(found.span_ns, 10 + 10) << "1000 elements are ten halvings deep";
}

TEST(analyzed_algorithms, the_longest_body_of_a_loop_is_its_span) {
  const analysis::result found =
      analyze([] { parallel_for(one_by_one, 0, 100, [](int i) { spend(i == 70 ? 1000 : 10); }); },
              on_spent_time());
  EXPECT_EQ(found.span_ns, 1000);
}

TEST(analyzed_algorithms, loops_one_after_the_other_add_their_spans) {
  const auto loop = [] { parallel_for(one_by_one, 0, 16, [](int) { spend(10); }); };
  const analysis::result found = analyze(
      [&] {
        loop();
        loop();
      },
      on_spent_time());
  EXPECT_EQ(found.work_ns, 320);
  EXPECT_EQ(found.span_ns, 20);
}

TEST(analyzed_algorithms, a_search_has_what_lies_before_the_match_as_work_and_one_test_as_span) {
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::ptrdiff_t at = 0;
  const analysis::result found = analyze(
      [&] {
        at = find_if(one_by_one, numbers,
                     [](int each) {
                       spend(10);
                       return each == 700;
                     }) -
             numbers.begin();
      },
      on_spent_time());
  EXPECT_EQ(at, 700);
  EXPECT_EQ(found.work_ns, 7010);
  EXPECT_EQ(found.span_ns, 10);
}

TEST(analyzed_algorithms, a_search_that_throws_throws) {
  const std::vector<int> numbers(100);
  EXPECT_THROW(
      analyze([&] { find_if(one_by_one, numbers, [](int) -> bool { throw 1; }); }, on_spent_time()),
      int);
}

TEST(analyzed_algorithms,
     a_loop_that_finds_its_grain_begins_with_short_leaves_wherever_a_thief_would) {
  const auto count_of_ones = [] {
    std::size_t ones = 0;
    parallel_for(0, 1 << 22, [&](index_range<int> chunk) {
      ones += chunk.size() == 1 ? 1 : 0;
      for ([[maybe_unused]] const int each : chunk) asm volatile("");
    });
    return ones;
  };
  thread_pool alone({.workers = 1});
  const std::size_t unwatched = alone.run(count_of_ones);
  std::size_t watched = 0;
  analyze([&] { watched = count_of_ones(); }, on_spent_time());
  EXPECT_GT(watched, unwatched);
}

TEST(analyzed_algorithms, results_are_those_of_any_run) {
  std::vector<int> numbers(10'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  long sum = 0;
  analyze(
      [&] {
        random_shuffle(numbers, 7);
        sort(numbers);
        sum = reduce(numbers, 0L);
      },
      on_spent_time());
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_EQ(sum, 10'000L * 9'999 / 2);
}

// 40 chunks. The first is scanned while the others are summed up. Then their sums are added one by
// one, and all chunks are written at once.
TEST(analyzed_algorithms, a_scan_has_two_chunks_and_a_sum_for_each_chunk_as_span) {
  std::vector<long> numbers(4001, 1);
  const analysis::result found = analyze(
      [&] {
        inclusive_scan(with(grain_items{100}), numbers, numbers.begin(), [](long a, long b) {
          spend(1);
          return a + b;
        });
      },
      on_spent_time());
  EXPECT_EQ(numbers.back(), 4001);
  EXPECT_EQ(found.span_ns, 100 + 39 + 100);
  EXPECT_EQ(found.work_ns, 100 + 39 * 99 + 39 + 39 * 100);
}

TEST(analyzed_algorithms, packing_asks_all_chunks_at_once) {
  std::vector<int> numbers(4000), chosen(4000);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::ptrdiff_t count = 0;
  const analysis::result found = analyze(
      [&] {
        count = copy_if(with(grain_items{100}), numbers, chosen.begin(),
                        [](int each) {
                          spend(1);
                          return each % 3 == 0;
                        })
                    .out -
                chosen.begin();
      },
      on_spent_time());
  EXPECT_EQ(count, 1334);
  EXPECT_EQ(chosen[1333], 3999);
  EXPECT_EQ(found.work_ns, 4000);
  EXPECT_EQ(found.span_ns, 100);
}

TEST(analyzed_algorithms, what_is_moved_in_place_is_moved_to_where_it_belongs) {
  std::vector<int> numbers(4000);
  std::iota(numbers.begin(), numbers.end(), 0);
  analyze(
      [&] {
        numbers.erase(
            remove_if(with(grain_items{100}), numbers, [](int each) { return each % 3 != 0; })
                .begin(),
            numbers.end());
      },
      on_spent_time());
  ASSERT_EQ(numbers.size(), 1334u);
  for (int i = 0; i != 1334; ++i) EXPECT_EQ(numbers[i], 3 * i);
}

TEST(analyzed_algorithms, a_deterministic_scan_has_the_same_bits_when_watched) {
  const std::vector<double> tenths(10'000, 0.1);
  std::vector<double> unwatched(tenths.size()), watched(tenths.size());
  inclusive_scan(with(deterministic), tenths, unwatched.begin());
  analyze([&] { inclusive_scan(with(deterministic), tenths, watched.begin()); }, on_spent_time());
  EXPECT_EQ(unwatched, watched);
}

TEST(analyzed_algorithms, a_scan_that_throws_throws) {
  std::vector<long> numbers(4000, 1);
  EXPECT_THROW(analyze(
                   [&] {
                     inclusive_scan(with(grain_items{100}), numbers, numbers.begin(),
                                    [](long, long) -> long { throw 1; });
                   },
                   on_spent_time()),
               int);
}

}  // namespace
}  // namespace filch::span
