#include <filch/algo/algo_test.hpp>
#include <filch/algo/fragile_test.hpp>
#include <filch/algo/reducer.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace filch::inline v0_2::algo {
namespace {

class reducer_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, reducer_on, widths);

struct concatenate {
  template <class T>
  std::vector<T> operator()(std::vector<T> left, std::vector<T> right) const {
    left.insert(left.end(), std::make_move_iterator(right.begin()),
                std::make_move_iterator(right.end()));
    return left;
  }
};

TEST_P(reducer_on, a_list_comes_out_as_if_one_element_had_followed_the_other) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> numbers = random.numbers(n, 1000);
    std::vector<int> expected;
    for (const int each : numbers) {
      for (int k = each % 3; k != 0; --k) expected.push_back(each);
    }
    reducer<std::vector<int>, concatenate> list;
    list.over(numbers, [](int each, std::vector<int>& view) {
      view.insert(view.end(), static_cast<std::size_t>(each % 3), each);
    });
    EXPECT_EQ(list.value(), expected);
  });
}

TEST_P(reducer_on, loops_over_indices_go_on_where_the_last_one_ended) {
  on_all_sizes([](std::size_t n, draw& random) {
    if (n > 5'000) return;
    reducer<std::string, std::plus<>> text(std::string("<"), {});
    const auto digit = [](std::size_t i, std::string& view) {
      view += static_cast<char>('0' + i % 10);
    };
    text.over(std::size_t{0}, n, digit);
    text.over(with(grain_items{1 + random(20)}, deterministic), n, 2 * n, digit);
    ASSERT_EQ(text.value().size(), 2 * n + 1);
    for (std::size_t i = 0; i != 2 * n; ++i)
      ASSERT_EQ(text.value()[i + 1], static_cast<char>('0' + i % 10));
  });
}

/// Keeps the most, of numbers that may all be negative.
struct most {
  int identity() const { return std::numeric_limits<int>::min(); }
  int operator()(int left, int right) const { return std::max(left, right); }
};

TEST_P(reducer_on, views_begin_as_the_operation_says) {
  on_all_sizes([](std::size_t n, draw& random) {
    const std::vector<int> numbers = random.numbers(n, 1000);
    reducer<int, most> best;
    best.over(numbers.begin(), numbers.end(),
              [](int each, int& view) { view = std::max(view, -1 - each); });
    EXPECT_EQ(best.value(), n == 0 ? most{}.identity() : -1 - *std::ranges::min_element(numbers));
  });
}

TEST(reducer, with_deterministic_has_the_same_bits_at_every_width) {
  std::set<float> sums;
  for (const unsigned workers : {1u, 2u, 3u, 5u}) {
    thread_pool pool({.workers = workers});
    for (int round = 0; round < 5; ++round) {
      reducer<float, std::plus<>> total;
      total.over(with(deterministic, pool), 0, 200'000,
                 [](int i, float& view) { view += 1.0f / static_cast<float>(i + 1); });
      sums.insert(total.value());
    }
  }
  EXPECT_EQ(sums.size(), 1u);
}

TEST_P(reducer_on, views_may_be_movable_only_and_loops_may_nest) {
  repeatedly([](draw&) {
    const auto adopt = [](std::unique_ptr<long> left, std::unique_ptr<long> right) {
      if (left == nullptr || right == nullptr)
        return left == nullptr ? std::move(right) : std::move(left);
      *left += *right;
      return left;
    };
    reducer<std::unique_ptr<long>, decltype(adopt)> total(nullptr, adopt);
    total.over(0, 20, [](int i, std::unique_ptr<long>& view) {
      reducer<long, std::plus<>> row;
      row.over(0, 20, [i](int j, long& cells) { cells += i * j; });
      if (view == nullptr) view = std::make_unique<long>(0);
      *view += row.value();
    });
    EXPECT_EQ(*total.value(), 190L * 190);
  });
}

TEST_P(reducer_on, an_exception_leaves_the_value_as_it_was_and_no_view_behind) {
  repeatedly([](draw& random) {
    const int before = fragile::live;
    {
      const int last = static_cast<int>(random(20));
      reducer<std::vector<fragile>, concatenate> list;
      list.over(0, 3, [](int i, std::vector<fragile>& view) { view.emplace_back(i); });
      const int kept = fragile::live;
      EXPECT_THROW(list.over(0, 20,
                             [last](int i, std::vector<fragile>& view) {
                               if (i == last) throw std::runtime_error("enough");
                               view.emplace_back(i);
                             }),
                   std::runtime_error);
      EXPECT_EQ(list.value(), (std::vector<fragile>{0, 1, 2}));
      EXPECT_EQ(fragile::live, kept);
    }
    EXPECT_EQ(fragile::live, before);
  });
}

#if !defined(FILCH_TESTING)
/// Counts how many views there have been.
struct counted_merge {
  std::atomic<int>* views;
  int identity() const {
    ++*views;
    return 0;
  }
  int operator()(int left, int right) const { return left + right; }
};

// A thread goes on with its view: one for the loop, and one for each range that a thief took.
TEST(reducer, makes_one_view_on_one_worker) {
  thread_pool pool({.workers = 1});
  std::atomic<int> views{0};
  pool.run([&] {
    reducer<int, counted_merge> sum{0, counted_merge{&views}};
    sum.over(0, 1'000'000, [](int, int& view) { ++view; });
    EXPECT_EQ(sum.value(), 1'000'000);
  });
  EXPECT_EQ(views, 1);
}

// A view that does not fit a stack at each level of the recursion.
TEST(reducer, may_have_large_views) {
  using table = std::array<int, 1 << 16>;
  struct add {
    table operator()(table left, const table& right) const {
      std::ranges::transform(left, right, left.begin(), std::plus<>{});
      return left;
    }
  };
  thread_pool pool({.workers = 2});
  std::vector<std::uint16_t> keys(1'000'000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint16_t>(i * 40'503);
  auto counts = std::make_unique<reducer<table, add>>();
  pool.run([&] { counts->over(keys, [](std::uint16_t key, table& view) { ++view[key]; }); });
  EXPECT_EQ(std::accumulate(counts->value().begin(), counts->value().end(), 0), 1'000'000);
}
#endif

}  // namespace
}  // namespace filch::algo
