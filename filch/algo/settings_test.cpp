#include <filch/algo/algo_test.hpp>
#include <filch/algo/algorithm.hpp>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

namespace filch::inline v0_2::algo {
namespace {

class settings_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, settings_on, widths);

TEST(settings, are_taken_together_from_options_in_any_order) {
  std::stop_source source;
  thread_pool pool({.workers = 1});
  const settings all = with(pool, deterministic, grain_items{7}, source.get_token());
  EXPECT_EQ(all.grain, 7u);
  EXPECT_TRUE(all.is_deterministic);
  EXPECT_EQ(all.pool, &pool);
  EXPECT_EQ(all.stop.token, source.get_token());
  EXPECT_EQ(settings(with()).grain, 0u);
  EXPECT_THROW(with(grain_items{0}), std::invalid_argument);
}

TEST(settings, are_made_of_the_options_that_other_calls_use_too) {
  std::stop_source source;
  thread_pool pool({.workers = 1});
  const auto how = with(pool, source.get_token());
  const settings all = how;
  EXPECT_EQ(all.grain, 0u);
  EXPECT_EQ(all.pool, &pool);
  EXPECT_EQ(all.stop.token, source.get_token());
  const std::vector<int> ones(10, 1);
  EXPECT_EQ(reduce(how, ones), 10);
  source.request_stop();
  EXPECT_THROW(reduce(how, ones), stopped);
}

TEST_P(settings_on, a_grain_bounds_the_leaves) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::uint64_t grain = 1 + random(40);
    std::vector<int> seen(n);
    bool are_short = true;
    for_chunks(with(grain_items{grain}), n, [&](std::uint64_t from, std::uint64_t to) {
      if (to - from > grain) are_short = false;  // never: so no race
      for (; from != to; ++from) ++seen[from];
    });
    EXPECT_TRUE(are_short);
    EXPECT_EQ(seen, std::vector<int>(n, 1));
  });
}

/// The brackets of a fold as text.
std::string brackets(const settings& how, std::uint64_t count) {
  return fold_chunks(
      how, count,
      [](std::uint64_t from, std::uint64_t to) {
        return std::to_string(from) + "-" + std::to_string(to);
      },
      [](const std::string& left, const std::string& right) {
        return "(" + left + " " + right + ")";
      });
}

TEST_P(settings_on, deterministic_brackets_follow_from_the_count_alone) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n == 0) return;
    const std::string once = brackets(with(deterministic), n);
    EXPECT_EQ(once, brackets(with(deterministic), n));
    EXPECT_EQ(once, brackets(with(deterministic, grain_items{1 + random(100)}), n));
  });
}

TEST(settings, deterministic_sums_have_the_same_bits_at_every_width) {
  std::vector<float> values(200'000);
  draw random{3};
  for (float& each : values) each = static_cast<float>(random(1'000'000)) / 7.0f;
  std::set<float> sums;
  for (const unsigned workers : {1u, 2u, 3u, 5u}) {
    thread_pool pool({.workers = workers});
    for (int round = 0; round < 5; ++round) {
      sums.insert(parallel_reduce(
          with(deterministic, pool), values.begin(), values.end(), 0.0f,
          [](float each) { return each; }, std::plus<>{}));
    }
  }
  EXPECT_EQ(sums.size(), 1u);
}

TEST_P(settings_on, a_stop_that_was_asked_for_ends_the_loop) {
  repeatedly([](draw& random) {
    std::stop_source source;
    const std::uint64_t last = random(2'000);
    std::atomic<std::uint64_t> ran{0};
    const auto loop = [&] {
      for_chunks(with(source.get_token(), grain_items{10}), 2'000,
                 [&](std::uint64_t from, std::uint64_t to) {
                   ran += to - from;
                   if (from <= last && last < to) source.request_stop();
                 });
    };
    try {
      loop();
      EXPECT_EQ(ran, 2'000u) << "only when the last of all leaves asked";
    } catch (const stopped&) {
      EXPECT_LT(ran, 2'000u);
    }
    EXPECT_THROW(loop(), stopped);
  });
}

TEST(settings, a_pool_that_is_named_runs_the_work) {
  thread_pool here({.workers = 1}), there({.workers = 1});
  const auto in_there = [&] {
    bool is_there = false;
    parallel_for(with(there), 0, 1, [&](int) { is_there = there.is_current(); });
    return is_there;
  };
  EXPECT_TRUE(in_there());
  EXPECT_TRUE(here.run(in_there));
  EXPECT_TRUE(there.run(in_there));
}

// -------------------------------------------------------------------------------------------------
// the outside of algorithms
struct first_fn : algorithm<first_fn> {
  template <class It, class T = int>
  static It run(const settings& how, It first, std::uint64_t count, T* items = nullptr) {
    if (items != nullptr) *items = static_cast<T>(count + 1000 * how.grain);
    return first;
  }
};
constexpr first_fn first{};

struct total_fn : algorithm_of_two<total_fn> {
  template <class I1, class I2, class Start>
  static Start run(const settings&, I1, std::uint64_t count1, I2, std::uint64_t count2,
                   Start start) {
    *start += static_cast<int>(10 * count1 + count2);
    return start;
  }
};
constexpr total_fn total{};

TEST(algorithm, is_called_with_a_range_or_two_ends_with_options_or_without) {
  std::vector<int> v(5);
  int items = 0;
  EXPECT_EQ(first(v), v.begin());
  EXPECT_EQ(first(v.begin(), v.end(), &items), v.begin());
  EXPECT_EQ(items, 5);
  EXPECT_EQ(first(with(grain_items{2}), v, &items), v.begin());
  EXPECT_EQ(items, 2005);
  EXPECT_EQ(first(par, v.begin() + 1, v.end(), &items), v.begin() + 1);
  EXPECT_EQ(items, 4);
  EXPECT_EQ(first(v.end(), v.begin(), &items), v.end());
  EXPECT_EQ(items, 0) << "the wrong way round is empty";
  static_assert(std::same_as<decltype(first(std::vector<int>{})), std::ranges::dangling>);
}

/// An end that is no iterator.
struct end_at {
  const int* at;
  [[maybe_unused]] friend bool operator==(const int* it, end_at end) { return it == end.at; }
  [[maybe_unused]] friend std::ptrdiff_t operator-(const int* it, end_at end) {
    return it - end.at;
  }
  [[maybe_unused]] friend std::ptrdiff_t operator-(end_at end, const int* it) {
    return end.at - it;
  }
};

TEST(algorithm, takes_an_end_of_another_type_than_the_begin) {
  const std::array<int, 4> values{1, 2, 3, 4};
  const int* const begin = values.data();
  const end_at end{begin + 3};
  EXPECT_EQ(reduce(begin, end), 6);
  EXPECT_EQ(reduce(par, begin, end, 10), 16);
  std::atomic<int> sum{0};
  EXPECT_EQ(for_each(begin, end, [&](int each) { sum += each; }), begin + 3);
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(find(begin, end, 4), begin + 3) << "it lies behind the end";
  std::array<int, 4> out{};
  EXPECT_EQ(copy(par, begin, end, out.begin()).out, out.begin() + 3);
  EXPECT_EQ(out, (std::array<int, 4>{1, 2, 3, 0}));
  EXPECT_EQ(inclusive_scan(begin, end, out.begin()).in, begin + 3);
  EXPECT_EQ(out, (std::array<int, 4>{1, 3, 6, 0}));
}

TEST(algorithm, takes_an_end_of_another_type_where_it_sorts) {
  std::array<int, 4> values{3, 2, 1, 0};
  int* const begin = values.data();
  const end_at end{begin + 3};
  EXPECT_EQ(sort(begin, end), begin + 3);
  EXPECT_EQ(values, (std::array<int, 4>{1, 2, 3, 0})) << "the last one lies behind the end";
  EXPECT_EQ(nth_element(begin, begin + 2, end, std::greater<>{}), begin + 3);
  EXPECT_EQ(values[2], 1);
  EXPECT_EQ(partial_sort(par, begin, begin + 1, end), begin + 3);
  EXPECT_EQ(values.front(), 1);
  EXPECT_EQ(values.back(), 0);
}

TEST(algorithm, takes_an_end_of_another_type_where_it_loops) {
  const std::array<int, 4> values{1, 2, 3, 4};
  const int* const begin = values.data();
  const end_at end{begin + 3};
  std::atomic<int> sum{0};
  parallel_for(begin, end, [&](int each) { sum += each; });
  parallel_for(par, end.at, end_at{begin}, [&](int) { sum = -1; });  // the wrong way round is empty
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(parallel_reduce(begin, end, 0, std::negate<>{}, std::plus<>{}), -6);
  reducer<int, std::plus<>> folded;
  folded.over(par, begin, end, [](int each, int& view) { view += each; });
  EXPECT_EQ(folded.value(), 6);
}

struct written_fn : algorithm<written_fn> {
  template <class It, std::random_access_iterator Out>
  static Out run(const settings&, It, std::uint64_t count, Out out) {
    return out + static_cast<std::ptrdiff_t>(count);
  }
};

TEST(algorithm, takes_an_array_as_a_range_though_it_is_a_pointer_too) {
  constexpr written_fn written{};
  int in[4], out[4];
  EXPECT_EQ(written(in, out), out + 4);
  EXPECT_EQ(written(par, in, &out[0]), out + 4);
  EXPECT_EQ(written(in, in + 3, out), out + 3);
  EXPECT_EQ(first(in, in + 3), in);
}

TEST(algorithm, of_two_ranges_moves_what_else_it_is_given) {
  const std::array<int, 3> a{};
  const std::vector<int> b(2);
  EXPECT_EQ(*total(a, b, std::make_unique<int>(0)), 32);
  EXPECT_EQ(*total(par, a.begin(), a.end(), b.begin(), b.end(), std::make_unique<int>(100)), 132);
}

TEST(algorithm, gives_no_iterator_into_a_temporary) {
  using list = std::vector<int>;
  using at = list::iterator;
  using std::ranges::dangling;
  list kept;
  const at out = kept.begin();
  constexpr auto is_odd = [](int each) { return each % 2 != 0; };
  static_assert(std::same_as<decltype(find(list{}, 1)), dangling>);
  static_assert(
      std::same_as<decltype(copy(list{}, out)), std::ranges::in_out_result<dangling, at>>);
  static_assert(std::same_as<decltype(remove_if(list{}, is_odd)), dangling>);
  static_assert(std::same_as<decltype(unique(par, list{})), dangling>);
  static_assert(std::same_as<decltype(stable_partition(list{}, is_odd)), dangling>);
  static_assert(
      std::same_as<decltype(minmax_element(list{})), std::ranges::minmax_element_result<dangling>>);
  static_assert(std::same_as<decltype(partition_copy(list{}, out, out, is_odd)),
                             std::ranges::partition_copy_result<dangling, at, at>>);
  static_assert(std::same_as<decltype(unique(kept)), iterator_range<at>>);
  static_assert(std::same_as<decltype(minmax_element(std::span(kept))),
                             std::ranges::minmax_element_result<std::span<int>::iterator>>);
  list odd(2), even(1);
  const auto ends = partition_copy(list{1, 2, 3}, odd.begin(), even.begin(), is_odd);
  EXPECT_EQ(ends.out1, odd.end());
  EXPECT_EQ(even, list{2});
  static_cast<void>(minmax_element(list{1, 2, 3}));
}

TEST(algorithm, of_two_ranges_gives_no_iterator_into_a_temporary) {
  using list = std::vector<int>;
  using at = list::iterator;
  using std::ranges::dangling;
  list kept;
  const at out = kept.begin();
  static_assert(
      std::same_as<decltype(mismatch(kept, list{})), std::ranges::in_in_result<at, dangling>>);
  static_assert(
      std::same_as<decltype(mismatch(par, list{}, kept)), std::ranges::in_in_result<dangling, at>>);
  static_assert(std::same_as<decltype(mismatch(std::span(kept), kept)),
                             std::ranges::in_in_result<std::span<int>::iterator, at>>);
  static_assert(std::same_as<decltype(merge(list{}, list{}, out)),
                             std::ranges::in_in_out_result<dangling, dangling, at>>);
  static_assert(std::same_as<decltype(transform(kept, list{}, out, std::plus<>{})),
                             std::ranges::in_in_out_result<at, dangling, at>>);
  static_assert(std::same_as<decltype(set_difference(list{}, kept, out)),
                             std::ranges::in_out_result<dangling, at>>);
  list merged(3);
  EXPECT_EQ(merge(list{1, 3}, list{2}, merged.begin()).out, merged.end());
  EXPECT_EQ(merged, (list{1, 2, 3}));
}

TEST(algorithm, of_two_arrays_takes_neither_for_the_end_of_the_other) {
  const int a[] = {1, 2, 3}, b[] = {10, 20, 30};
  int sums[3];
  const std::vector<int> expected{11, 22, 33};
  EXPECT_EQ(transform(a, b, sums, std::plus<>{}).out, sums + 3);
  EXPECT_EQ(std::vector(sums, sums + 3), expected);
  EXPECT_EQ(transform(par, a, b, &sums[0], std::plus<>{}).in2, b + 3);
  EXPECT_EQ(transform(a, a + 2, sums, std::negate<>{}).out, sums + 2);
  EXPECT_EQ(transform_reduce(a, b, 0), 140);
}

}  // namespace
}  // namespace filch::algo
