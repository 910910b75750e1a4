#include <bench/fib/filch.hpp>
#include <bench/integrate/filch.hpp>
#include <bench/nqueens/filch.hpp>
#include <bench/sum/filch.hpp>
#include <gtest/gtest.h>

namespace {

using namespace bench;

/// Runs `work` on pools of several sizes and expects `expected` from each.
template <class Result, class Work>
void expect_on_every_pool(const Result& expected, const Work& work) {
  for (const unsigned workers : {1u, 2u, 5u}) {
    filch::thread_pool pool{{.workers = workers}};
    EXPECT_EQ(pool.run(work), expected) << workers << " workers";
  }
}

TEST(fib, filch_returns_what_recursion_returns) {
  constexpr fib::parameters p{.n = 22};
  EXPECT_EQ(fib::serial(p), 17711u);
  EXPECT_EQ(fib::call_count(p), 57313u);
  expect_on_every_pool(std::uint64_t{17711}, [&] { return fib::on_filch(p); });
}

TEST(fib, a_wrong_result_is_noticed) {
  EXPECT_EQ(fib::check({.n = 93}, 12200160415121876738u), "");
  EXPECT_EQ(fib::check({.n = 10}, 56), "fib(10) is 55, not 56");
}

TEST(nqueens, small_boards_have_the_published_counts) {
  for (int n = 0; n <= 9; ++n) {
    const nqueens::parameters p{.n = n};
    EXPECT_EQ(nqueens::check(p, nqueens::serial(p)), "");
    expect_on_every_pool(nqueens::serial(p), [&] { return nqueens::on_filch(p); });
  }
}

TEST(nqueens, a_wrong_count_is_noticed) {
  EXPECT_EQ(nqueens::check({.n = 8}, 91), "8 queens: counted 91, published are 92");
}

TEST(sum, filch_and_the_closed_form_agree_with_the_loop) {
  for (const std::uint64_t count : {0u, 1u, 99u, 100u, 101u, 12345u}) {
    const sum::parameters p{count};
    EXPECT_EQ(sum::check(p, sum::serial(p)), "") << count;
    expect_on_every_pool(sum::serial(p), [&] { return sum::on_filch(p); });
  }
}

TEST(sum, a_wrong_total_is_noticed) {
  EXPECT_EQ(sum::check({.count = 2}, 1), "the sum is 1192, not 1");
}

TEST(integrate, filch_adds_in_the_same_order_as_recursion) {
  const integrate::parameters p{.upper = 100, .epsilon = 1e-6};
  EXPECT_EQ(integrate::check(p, integrate::serial(p)), "");
  expect_on_every_pool(integrate::serial(p), [&] { return integrate::on_filch(p); });
}

TEST(integrate, a_wrong_area_is_noticed) {
  EXPECT_EQ(integrate::check({.upper = 2}, 6.5), "the integral is 6.000000, not 6.500000");
  EXPECT_NE(integrate::check({.upper = 2}, std::nan("")), "");
}

}  // namespace
