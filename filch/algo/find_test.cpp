#include <filch/algo/algo_test.hpp>
#include <filch/algo/compare.hpp>
#include <filch/algo/find.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

namespace filch::inline v0_2::algo {
namespace {

class find_on : public algo_on {};
INSTANTIATE_TEST_SUITE_P(workers, find_on, widths);

template <class T>
void expect_finds_as_std(const std::vector<T>& v, const T& value) {
  const auto is_value = [&](const T& each) { return each == value; };
  EXPECT_EQ(filch::find(v, value), std::ranges::find(v, value));
  EXPECT_EQ(filch::find_if(v, is_value), std::ranges::find_if(v, is_value));
  EXPECT_EQ(filch::find_if_not(v.begin(), v.end(), std::not_fn(is_value)),
            std::ranges::find_if(v, is_value));
  EXPECT_EQ(filch::any_of(v, is_value), std::ranges::any_of(v, is_value));
  EXPECT_EQ(filch::all_of(v, is_value), std::ranges::all_of(v, is_value));
  EXPECT_EQ(filch::none_of(v, is_value), std::ranges::none_of(v, is_value));
}

TEST_P(find_on, the_first_of_several_matches_is_found) {
  on_all_sizes([](std::size_t n, draw& random) {
    const int bound = 1 + static_cast<int>(random(2 * n + 1));
    const std::vector<int> numbers = random.numbers(n, bound);
    expect_finds_as_std(numbers, 0);
    expect_finds_as_std(std::vector<char>(numbers.begin(), numbers.end()), '\1');
    expect_finds_as_std(std::vector<float>(numbers.begin(), numbers.end()), 1.0f);
    expect_finds_as_std(std::vector<double>(numbers.begin(), numbers.end()), 1.0);
    EXPECT_EQ(filch::find(with(grain_items{3}), numbers, -1, std::negate<>{}),
              std::ranges::find(numbers, 1));
    if (n < 1'000) expect_finds_as_std(std::vector<std::string>(n, "a"), std::string("a"));
    std::vector<int> late(n);  // several workers find one
    std::fill_n(late.begin(), n / 2, 1);
    const auto is_late = [](int each) {
#if defined(FILCH_TESTING)
      testing::point("a look");  // where others may go first
#endif
      return each == 0;
    };
    EXPECT_EQ(filch::find_if(with(grain_items{1}), late, is_late), std::ranges::find(late, 0));
  });
}

TEST_P(find_on, a_single_match_is_found_wherever_it_is) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<std::int16_t> v(n);
    if (n != 0) v[random(n)] = 7;
    EXPECT_EQ(filch::find(v, std::int16_t{7}), std::ranges::find(v, 7));
    EXPECT_EQ(filch::find(v, 7), std::ranges::find(v, 7));
  });
}

TEST(find, takes_the_largest_of_grains) {
  const std::vector<int> v{1, 2, 3};
  const settings huge = with(grain_items{~std::uint64_t{0}});
  EXPECT_EQ(filch::find(huge, v, 3), v.begin() + 2);
  EXPECT_FALSE(filch::all_of(huge, v, [](int each) { return each != 2; }));
}

TEST(find, of_what_is_equal_to_nothing_finds_nothing) {
  const std::vector<float> v(1'000, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(filch::find(v, v[0]), v.end());
  EXPECT_FALSE(filch::equal(v, v));
}

TEST_P(find_on, what_lies_far_behind_the_match_is_not_looked_at) {
  thread_pool pool({.workers = GetParam()});
  pool.run([] {
    std::vector<int> v(1'000'000);
    std::atomic<int> looks{0};
    filch::find_if(with(grain_items{160}), v, [&](int& each) {
      ++looks;
      return &each - v.data() >= 1'000;
    });
    EXPECT_LT(looks, 20'000) << "each worker may be a few chunks ahead";
  });
}

#if !defined(FILCH_TESTING)
// Each call waits for the other.
TEST(find, looks_at_a_few_elements_at_once) {
  thread_pool pool({.workers = 2});
  std::atomic<int> begun{0};
  const auto meets = [&](int) {
    const std::uint64_t end = base::now_ns() + 10'000'000'000u;
    for (++begun; begun != 2 && base::now_ns() < end;) std::this_thread::yield();
    return begun != 2;
  };
  EXPECT_TRUE(filch::none_of(with(pool), std::vector<int>{1, 2}, meets));
}
#endif

TEST_P(find_on, an_exception_ends_the_search_for_all) {
  repeatedly([](draw& random) {
    const std::vector<int> v(1'000);
    const auto at = static_cast<std::ptrdiff_t>(random(1'000));
    const auto broken = [&](const int& each) {
      if (&each - v.data() == at) throw std::runtime_error("unreadable");
      return false;
    };
    EXPECT_THROW(filch::find_if(v, broken), std::runtime_error);
    EXPECT_THROW(filch::all_of(with(grain_items{5}), v, std::not_fn(broken)), std::runtime_error);
  });
}

TEST_P(find_on, a_stop_that_was_asked_for_ends_the_search) {
  repeatedly([](draw&) {
    std::stop_source source;
    const std::vector<int> v(1'000);
    EXPECT_THROW(filch::find_if(with(source.get_token(), grain_items{5}), v,
                                [&](int) { return !source.request_stop() && false; }),
                 stopped);
    EXPECT_THROW(filch::find(with(source.get_token()), v, 1), stopped);
  });
}

template <class T>
void expect_compares_as_std(const std::vector<T>& a, const std::vector<T>& b) {
  const auto ours = filch::mismatch(a, b), theirs = std::ranges::mismatch(a, b);
  EXPECT_EQ(ours.in1, theirs.in1);
  EXPECT_EQ(ours.in2, theirs.in2);
  EXPECT_EQ(filch::equal(a, b), std::ranges::equal(a, b));
  EXPECT_EQ(filch::lexicographical_compare(a, b), std::ranges::lexicographical_compare(a, b));
  EXPECT_EQ(filch::lexicographical_compare(b, a), std::ranges::lexicographical_compare(b, a));
}

TEST_P(find_on, ranges_compare_as_std_says) {
  on_all_sizes([](std::size_t n, draw& random) {
    std::vector<int> a = random.numbers(n, 100);
    for (int& each : a) each -= 50;
    std::vector<int> b = a;
    expect_compares_as_std(a, b);
    if (n != 0) b[random(n)] += static_cast<int>(random(3)) - 1;
    expect_compares_as_std(a, b);
    b.resize(random(n + 1));
    expect_compares_as_std(a, b);
    expect_compares_as_std(std::vector<char>(a.begin(), a.end()),
                           std::vector<char>(b.begin(), b.end()));
    expect_compares_as_std(std::vector<double>(a.begin(), a.end()),
                           std::vector<double>(b.begin(), b.end()));
    const auto same_tens = [](int x, int y) { return x / 10 == y / 10; };
    EXPECT_EQ(filch::mismatch(with(grain_items{4}), a, b, same_tens).in1,
              std::ranges::mismatch(a, b, same_tens).in1);
    EXPECT_EQ(filch::equal(a.begin(), a.end(), a.begin(), a.end(), std::equal_to<>{},
                           std::negate<>{}, std::negate<>{}),
              true);
    EXPECT_EQ(filch::lexicographical_compare(a, b, std::ranges::greater{}),
              std::ranges::lexicographical_compare(a, b, std::ranges::greater{}));
  });
}

}  // namespace
}  // namespace filch::algo
