// Forks that fail, and forks that are not joined.
#include <filch/co.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace filch::inline v0_2::co {
namespace {

using sync::widths;

struct failure : std::runtime_error {
  explicit failure(int n) : std::runtime_error{"as it should"}, number{n} {}
  int number;
};
task<int> fail(int number, bool yields) {
  if (yields) co_await yield();
  throw failure{number};
  co_return 0;
}
task<> count(std::atomic<int>& ended) {
  ++ended;
  co_return;
}

task<> fail_with(std::vector<int> numbers, std::atomic<int>& ended) {
  std::vector<forked<int>> failing;
  std::vector<forked<>> all;
  for (const int number : numbers) {
    all.push_back(co_await fork(count(ended)));
    failing.push_back(co_await fork(fail(number, number % 2 == 0)));
    all.push_back(co_await fork(count(ended)));
  }
  co_await join;
}
int number_thrown(thread_pool& pool, task<> runs) {
  try {
    block_on(pool, std::move(runs));
  } catch (const failure& thrown) {
    return thrown.number;
  }
  return 0;
}

TEST(fork, throws_the_leftmost_failure_when_all_have_ended) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int i = 0; i < 100; ++i) {
      std::atomic<int> ended{0};
      EXPECT_EQ(number_thrown(pool, fail_with({7}, ended)), 7);
      EXPECT_EQ(number_thrown(pool, fail_with({3, 4, 5}, ended)), 3);
      EXPECT_EQ(number_thrown(pool, fail_with({4, 3, 2}, ended)), 4);
      EXPECT_EQ(ended, 2 + 6 + 6);
    }
  }
}

task<> each_its_own() {
  forked<int> left = co_await fork(fail(1, true));
  forked<int> right = co_await fork(fail(2, false));
  try {
    co_await join;
    ADD_FAILURE() << "the join throws";
  } catch (const failure& thrown) {
    EXPECT_EQ(thrown.number, 1);
  }
  EXPECT_THROW(right.get(), failure);
  EXPECT_THROW(left.get(), failure);
  co_await join;
  throw failure{9};
}

TEST(fork, leaves_its_own_failure_with_each_handle_and_a_join_that_is_good_again) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    EXPECT_EQ(number_thrown(pool, each_its_own()), 9);
  }
}

task<> write_later(std::atomic<int>& to, int yields) {
  for (int i = 0; i < yields; ++i) co_await yield();
  ++to;
}
task<> leave_by_an_exception(std::atomic<int>& ended) {
  std::atomic<int> mine{0};
  const struct check {
    std::atomic<int>& mine;
    std::atomic<int>& ended;
    ~check() { ended += mine; }
  } at_end{mine, ended};
  const forked<> one = co_await fork(write_later(mine, 0)),
                 other = co_await fork(write_later(mine, 3));
  throw failure{1};
}
task<> leave_early(std::atomic<int>& ended, bool fails) {
  const forked<> one = co_await fork(write_later(ended, 2));
  const forked<int> failing = co_await fork(fail(2, true));
  if (fails) throw failure{3};
}

TEST(fork, that_is_not_joined_is_waited_for) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int i = 0; i < 100; ++i) {
      std::atomic<int> ended{0};
      EXPECT_EQ(number_thrown(pool, leave_by_an_exception(ended)), 1);
      EXPECT_EQ(ended, 2) << "the children ended before what they refer to";
      EXPECT_EQ(number_thrown(pool, leave_early(ended, false)), 2)
          << "what nobody joined is the coroutine's own";
      EXPECT_EQ(number_thrown(pool, leave_early(ended, true)), 2) << "and further to the left";
      EXPECT_EQ(ended, 4);
    }
  }
}

task<> hand_out(std::atomic<int>& ended, std::vector<forked<>>& to) {
  to.push_back(co_await fork(write_later(ended, 3)));
  to.push_back(co_await fork(write_later(ended, 0)));
}

TEST(fork, is_waited_for_at_the_end_where_its_handle_lives_on) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int i = 0; i < 100; ++i) {
      std::atomic<int> ended{0};
      std::vector<forked<>> handles;
      block_on(pool, hand_out(ended, handles));
      EXPECT_EQ(ended, 2);
    }
  }
}

task<> descend(int depth, std::vector<forked<>>& handles) {
  if (depth == 0) {
    co_await yield();
    co_return;
  }
  handles.push_back(co_await fork(descend(depth - 1, handles)));
}

TEST(fork, ends_deep_parents_that_only_waited_for_it_without_a_stack) {
  constexpr int depth = 200'000;
  thread_pool pool{{.workers = 1}};
  std::vector<forked<>> handles;
  block_on(spawn(pool, descend(depth, handles)));
  EXPECT_EQ(handles.size(), static_cast<std::size_t>(depth));
}

}  // namespace
}  // namespace filch::co
