#include <filch/co/scope.hpp>

#include <filch/co/block_on.hpp>
#include <filch/co/children_test.hpp>
#include <filch/co/stop_token.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/yield.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace filch::inline v0_2::co {
namespace {

using sync::widths;

task<> count(std::atomic<int>& counter) {
  co_await yield();
  ++counter;
}

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
  nursery.spawn(with(priority::background), mark_down(order, 'c'));
  nursery.spawn(mark_down(order, 'b'));
  nursery.spawn(with(priority::high), mark_down(order, 'a'));
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

task<> fail_before_others(std::atomic<int>& begun, const std::shared_ptr<int>& held) {
  scope nursery;
  nursery.spawn(with(priority::high), fail("the first", 0));
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
  alignas(detail::task_set::joining) std::byte room[sizeof(detail::task_set::joining)];
  scope nursery;
  nursery.spawn(wait_for_stop(stopped));
  (new (room) detail::task_set::joining(nursery.join()))->await_suspend(std::noop_coroutine());
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

}  // namespace
}  // namespace filch::co
