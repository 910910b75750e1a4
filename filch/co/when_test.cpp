// `when_all` and `when_any`.
#include <filch/co/block_on.hpp>
#include <filch/co/children_test.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/when_all.hpp>
#include <filch/co/when_any.hpp>
#include <filch/co/yield.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace filch::inline v0_2::co {
namespace {

using sync::widths;

// -------------------------------------------------------------------------------------------------
// when_all
task<int> give(int value) {
  co_await yield();
  co_return value;
}
task<std::unique_ptr<int>> give_owner(int value) { co_return std::make_unique<int>(value); }
task<int&> refer(int& to) { co_return to; }
task<> nothing() { co_return; }

TEST(when_all, brings_all_results) {
  thread_pool pool{{.workers = 2}};
  int here = 5;
  const std::tuple<int, std::unique_ptr<int>, int&, std::monostate> all =
      block_on(pool, when_all(give(1), give_owner(2), refer(here), nothing()));
  EXPECT_EQ(std::get<0>(all), 1);
  EXPECT_EQ(*std::get<1>(all), 2);
  EXPECT_EQ(&std::get<2>(all), &here);
  EXPECT_EQ(block_on(pool, when_all()), std::tuple<>{});
}

TEST(when_all, brings_the_results_of_many) {
  thread_pool pool{{.workers = 2}};
  std::vector<task<int>> tasks;
  for (int i = 0; i < 100; ++i) tasks.push_back(give(i));
  const std::vector<int> all = block_on(pool, when_all(std::move(tasks)));
  ASSERT_EQ(all.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i);
}

TEST(when_all, cancels_the_rest_after_a_failure) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> stopped{0};
    EXPECT_THROW(block_on(pool, when_all(wait_for_stop(stopped), fail("first", 2), give_owner(1),
                                         wait_for_stop(stopped))),
                 std::runtime_error);
    EXPECT_EQ(stopped, 2);
  }
}

TEST(when_all, begins_nothing_once_one_has_failed) {
  std::atomic<int> begun{0};
  thread_pool pool{{.workers = 1}};
  EXPECT_THROW(
      block_on(pool, when_all(fail("first", 0), begin(begun, nullptr), begin(begun, nullptr))),
      std::runtime_error);
  EXPECT_EQ(begun, 0);
}

// -------------------------------------------------------------------------------------------------
// when_any
/// Ends once `others` children wait.
task<int> give_among(int value, int others) {
  while (waiting < others) co_await yield();
  co_return value;
}

TEST(when_any, tries_each_also_where_one_has_ended) {
  std::atomic<int> begun{0};
  thread_pool pool{{.workers = 1}};
  EXPECT_EQ(block_on(pool, when_any(give_among(7, 0), begin(begun, nullptr), begin(begun, nullptr)))
                .index,
            0u);
  EXPECT_EQ(begun, 2);
}

TEST(when_any, brings_the_first_and_awaits_the_others) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> stopped{0};
    const auto first =
        block_on(pool, when_any(wait_for_stop(stopped), give_among(7, 2), wait_for_stop(stopped)));
    EXPECT_EQ(first.index, 1u);
    EXPECT_EQ(std::get<1>(first.value), 7);
    EXPECT_EQ(stopped, 2);
  }
}

task<int> give_at_stop(int value) {
  std::atomic<int> stopped{0};
  co_await wait_for_stop(stopped);
  co_return value;
}

TEST(when_any, brings_the_first_of_many) {
  thread_pool pool{{.workers = 2}};
  std::vector<task<int>> tasks;
  for (int i = 0; i < 10; ++i) tasks.push_back(i == 3 ? give(i) : give_at_stop(i));
  const auto first = block_on(pool, when_any(std::move(tasks)));
  EXPECT_EQ(first.index, 3u);
  EXPECT_EQ(first.value, 3);
}

TEST(when_any, throws_what_the_first_threw) {
  thread_pool pool{{.workers = 1}};
  std::atomic<int> stopped{0};
  EXPECT_THROW(block_on(pool, when_any(wait_for_stop(stopped), fail("first", 1))),
               std::runtime_error);
  EXPECT_EQ(stopped, 1);
}

task<int> race_inside(std::atomic<int>& stopped) {
  const auto first = co_await when_any(give_at_stop(1), give_at_stop(2));
  ++stopped;
  co_return static_cast<int>(first.index);
}
task<> cancel_a_race(std::atomic<int>& stopped) {
  join_handle<int> race = spawn(race_inside(stopped));
  co_await yield();
  race.cancel();
  co_await race;
}

TEST(when_any, is_cancelled_with_the_task_that_it_is_in) {
  thread_pool pool{{.workers = 2}};
  std::atomic<int> stopped{0};
  block_on(pool, cancel_a_race(stopped));
  EXPECT_EQ(stopped, 1);
}

// -------------------------------------------------------------------------------------------------
// a pool that stops
task<> stop(thread_pool& pool) {
  pool.request_stop();
  co_return;
}
task<> stop_among_all(thread_pool& pool) { co_await when_all(stop(pool), nothing()); }
task<std::size_t> stop_among_any(thread_pool& pool) {
  std::vector<task<>> both;
  both.push_back(stop(pool));
  both.push_back(nothing());
  co_return (co_await when_any(std::move(both))).index;
}

TEST(when_all, of_a_child_that_a_stopped_pool_did_not_begin_throws_so) {
  thread_pool pool{{.workers = 1}};
  EXPECT_THROW(block_on(pool, stop_among_all(pool)), pool_stopped);
}

TEST(when_any, ends_with_the_first_also_where_the_pool_did_not_begin_another) {
  thread_pool pool{{.workers = 1}};
  EXPECT_EQ(block_on(pool, stop_among_any(pool)), 0u);
}

}  // namespace
}  // namespace filch::co
