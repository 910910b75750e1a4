#include <filch/co/scope.hpp>

#include <filch/co/block_on.hpp>
#include <filch/co/stop_token.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/when_all.hpp>
#include <filch/co/when_any.hpp>
#include <filch/co/yield.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace filch::co {
namespace {

constexpr unsigned widths[] = {1, 2, 5};

task<> count(std::atomic<int>& counter) {
  co_await yield();
  ++counter;
}
std::atomic<int> waiting{0};  ///< How many `wait_for_stop` have begun and not ended.

/// Runs until it is asked to stop.
task<> wait_for_stop(std::atomic<int>& stopped) {
  ++waiting;
  const std::stop_token token = co_await get_stop_token();
  while (!token.stop_requested()) co_await yield();
  --waiting;
  ++stopped;
}
/// Fails once `others` children wait: children that have not begun by then never would.
task<> fail(const char* why, int others) {
  while (waiting < others) co_await yield();
  throw std::runtime_error(why);
}

// -------------------------------------------------------------------------------------------------
// scope
task<int> count_children(int children) {
  std::atomic<int> counter{0};
  scope nursery;
  for (int i = 0; i < children; ++i) nursery.spawn(count(counter));
  co_await nursery.join();
  co_return counter.load();
}

TEST(scope, waits_for_its_children) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (const int children : {0, 1, 2, 1000})
      EXPECT_EQ(block_on(pool, count_children(children)), children);
  }
}

task<> grow(scope& nursery, std::atomic<int>& counter, int depth) {
  ++counter;
  if (depth == 0) co_return;
  nursery.spawn(grow(nursery, counter, depth - 1));
  nursery.spawn(grow(nursery, counter, depth - 1));
}
task<int> grow_a_tree(int depth) {
  std::atomic<int> counter{0};
  scope nursery;
  nursery.spawn(grow(nursery, counter, depth));
  co_await nursery.join();
  co_return counter.load();
}

TEST(scope, waits_for_what_its_children_spawn) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    EXPECT_EQ(block_on(pool, grow_a_tree(10)), 2047);
  }
}

task<> mark_down(std::string& order, char mark) {
  order += mark;
  co_return;
}
task<std::string> spawn_by_urgency() {
  std::string order;
  scope nursery;
  nursery.spawn(mark_down(order, 'c'), priority::background);
  nursery.spawn(mark_down(order, 'b'));
  nursery.spawn(mark_down(order, 'a'), priority::high);
  co_await nursery.join();
  co_return order;
}

TEST(scope, begins_the_more_urgent_child_first) {
  thread_pool pool{{.workers = 1}};
  EXPECT_EQ(block_on(spawn(pool, spawn_by_urgency())), "abc");
}

task<std::string> fail_among_others(std::atomic<int>& stopped) {
  try {
    scope nursery;
    nursery.spawn(wait_for_stop(stopped));
    nursery.spawn(fail("the first", 2));
    nursery.spawn(wait_for_stop(stopped));
    co_await nursery.join();
  } catch (const std::runtime_error& caught) {
    co_return caught.what();
  }
  co_return "nothing";
}

TEST(scope, cancels_the_rest_after_a_failure_and_throws_it_when_all_have_ended) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> stopped{0};
    EXPECT_EQ(block_on(pool, fail_among_others(stopped)), "the first");
    EXPECT_EQ(stopped, 2);
  }
}

/// Counts that it began. Its frame holds the pointer.
task<> begin(std::atomic<int>& begun, std::shared_ptr<int>) {
  ++begun;
  co_return;
}
task<> fail_before_others(std::atomic<int>& begun, const std::shared_ptr<int>& held) {
  scope nursery;
  nursery.spawn(fail("the first", 0), priority::high);
  for (int i = 0; i < 100; ++i) nursery.spawn(begin(begun, held));
  co_await nursery.join();
}
task<> spawn_after_a_failure(std::atomic<int>& begun, const std::shared_ptr<int>& held) {
  scope nursery;
  nursery.spawn(fail("the first", 0));
  while (!nursery.get_token().stop_requested()) co_await yield();
  for (int i = 0; i < 100; ++i) nursery.spawn(begin(begun, held));
  co_await nursery.join();
}

TEST(scope, begins_no_child_once_one_has_failed) {
  const auto held = std::make_shared<int>();
  std::atomic<int> begun{0};
  thread_pool one{{.workers = 1}};
  EXPECT_THROW(block_on(one, fail_before_others(begun, held)), std::runtime_error);
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    EXPECT_THROW(block_on(pool, spawn_after_a_failure(begun, held)), std::runtime_error);
  }
  EXPECT_EQ(begun, 0);
  EXPECT_EQ(held.use_count(), 1) << "what such a child held is let go of before the join ends";
}

task<> leave_by_exception(std::atomic<int>& stopped) {
  scope nursery;
  nursery.spawn(wait_for_stop(stopped));
  nursery.spawn(wait_for_stop(stopped));
  throw std::logic_error("before the join");
}

TEST(scope, that_is_left_by_an_exception_cancels_its_children_and_waits) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> stopped{0};
    EXPECT_THROW(block_on(pool, leave_by_exception(stopped)), std::logic_error);
    EXPECT_EQ(stopped, 2);
  }
}

TEST(scope, may_be_left_on_a_plain_thread) {
  std::atomic<int> stopped{0};
  {
    scope nursery;
    nursery.spawn(wait_for_stop(stopped));
  }
  EXPECT_EQ(stopped, 1);
}

sync::foreign_coroutine join_as_a_stranger(std::atomic<int>& stopped, bool& went_on) {
  scope nursery;
  nursery.spawn(wait_for_stop(stopped));
  nursery.spawn(wait_for_stop(stopped));
  co_await nursery.join();
  went_on = true;
}

TEST(scope, whose_coroutine_is_destroyed_in_mid_join_cancels_its_children_and_waits) {
  std::atomic<int> stopped{0};
  bool went_on = false;
  { const sync::foreign_coroutine gone = join_as_a_stranger(stopped, went_on); }
  EXPECT_EQ(stopped, 2);
  EXPECT_FALSE(went_on);
}

task<> nest(std::atomic<int>& stopped) {
  scope inner{co_await get_stop_token()};
  inner.spawn(wait_for_stop(stopped));
  inner.spawn(wait_for_stop(stopped));
  co_await inner.join();
}
task<> cancel_from_above(std::atomic<int>& stopped) {
  scope outer;
  outer.spawn(nest(stopped));
  outer.spawn(nest(stopped));
  co_await yield();
  outer.cancel();
  co_await outer.join();
}

TEST(scope, is_cancelled_with_what_it_is_in) {
  thread_pool pool{{.workers = 2}};
  std::atomic<int> stopped{0};
  block_on(pool, cancel_from_above(stopped));
  EXPECT_EQ(stopped, 4);
}

task<> spawn_when_stopped(thread_pool& pool, bool& refused) {
  std::atomic<int> counter{0};
  scope nursery;
  nursery.spawn(count(counter));
  pool.request_stop();
  try {
    nursery.spawn(count(counter));
  } catch (const pool_stopped&) {
    refused = true;
  }
  co_await nursery.join();
}

TEST(scope, ends_in_a_stopped_pool) {
  bool refused = false;
  thread_pool pool{{.workers = 1}};
  // From the child that had not begun
  EXPECT_THROW(block_on(spawn(pool, spawn_when_stopped(pool, refused))), pool_stopped);
  EXPECT_TRUE(refused);
}

task<> join_twice() {
  scope nursery;
  co_await nursery.join();
  co_await nursery.join();
}

task<int> spawn_after_join() {
  std::atomic<int> counter{0};
  scope nursery;
  co_await nursery.join();
  nursery.spawn(count(counter));
  co_return counter.load();
}

/// Like a coroutine of another library that is destroyed when it is about to be resumed.
task<> leave_a_join_too_late() {
  std::atomic<int> stopped{0};
  scope nursery;
  nursery.spawn(wait_for_stop(stopped));
  auto joins = nursery.join();
  joins.await_suspend(std::noop_coroutine());
  nursery.cancel();
  for (int i = 0; i < 10; ++i) co_await yield();
}
/// Like a compiler that does not destroy the awaiter of such a coroutine.
void leave_a_scope_alone() {
  std::atomic<int> stopped{0};
  alignas(task_set::joining) std::byte room[sizeof(task_set::joining)];
  scope nursery;
  nursery.spawn(wait_for_stop(stopped));
  (new (room) task_set::joining(nursery.join()))->await_suspend(std::noop_coroutine());
}

TEST(scope, ends_the_process_when_it_is_misused) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        thread_pool pool{{.workers = 1}};
        block_on(pool, leave_a_join_too_late());
      },
      "the task that joins a scope is not destroyed once the scope has ended");
  EXPECT_DEATH(leave_a_scope_alone(), "a scope outlives its join");
  EXPECT_DEATH(block_on(join_twice()), "a scope is joined once");
  EXPECT_DEATH(block_on(spawn_after_join()), "nothing is spawned in a scope whose join has ended");
}

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
