#include <filch/co/task.hpp>

#include <filch/co/run_task_test.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace filch::inline v0_2::co {
namespace {

task<int> give(int value) { co_return value; }
task<> nothing() { co_return; }
task<int&> refer(int& to) { co_return to; }
task<std::unique_ptr<int>> give_owner(int value) { co_return std::make_unique<int>(value); }
task<int> fail(const char* why) {
  throw std::runtime_error(why);
  co_return 0;
}
task<> note(bool& ran) {
  ran = true;
  co_return;
}

/// A value that counts how many of it are alive.
struct counted {
  explicit counted(int& all) noexcept : alive{&all} { ++*alive; }
  counted(const counted& other) noexcept : alive{other.alive} { ++*alive; }
  ~counted() { --*alive; }
  counted& operator=(const counted&) = delete;
  int* alive;
};
task<> hold(counted) { co_return; }

TEST(task, brings_values_references_and_nothing) {
  int here = 0;
  EXPECT_EQ(run_task(give(42)), 42);
  EXPECT_EQ(&run_task(refer(here)), &here);
  EXPECT_EQ(*run_task(give_owner(7)), 7);
  run_task(nothing());
}

TEST(task, begins_when_it_is_awaited) {
  bool ran = false;
  task<> later = note(ran);
  EXPECT_FALSE(ran);
  run_task(std::move(later));
  EXPECT_TRUE(ran);
}

TEST(task, does_nothing_when_it_is_dropped) {
  int alive = 0;
  bool ran = false;
  {
    const task<> dropped = hold(counted{alive});
    const task<> noted = note(ran);
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
  EXPECT_FALSE(ran);
}

TEST(task, brings_exceptions_to_its_awaiter) {
  try {
    run_task(fail("as the test wants"));
    FAIL();
  } catch (const std::runtime_error& caught) {
    EXPECT_STREQ(caught.what(), "as the test wants");
  }
}

task<std::string> catch_and_go_on() {
  std::string said;
  try {
    co_await fail("first");
  } catch (const std::runtime_error& caught) {
    said = caught.what();
  }
  co_return said + std::to_string(co_await give(2));
}

TEST(task, goes_on_after_an_exception) { EXPECT_EQ(run_task(catch_and_go_on()), "first2"); }

task<int> fib(int n) {
  if (n < 2) co_return n;
  co_return co_await fib(n - 1) + co_await fib(n - 2);
}

TEST(task, calls_recursively) { EXPECT_EQ(run_task(fib(20)), 6765); }

task<int> keep_for_later() {
  task<int> kept = give(1);
  task<int> other = give(2);
  kept = std::move(other);
  co_return co_await kept;
}

TEST(task, can_be_moved_and_assigned_before_it_is_awaited) {
  EXPECT_EQ(run_task(keep_for_later()), 2);
}

task<> destroys_arguments(int& alive) {
  co_await hold(counted{alive});
  EXPECT_EQ(alive, 0);
}

TEST(task, destroys_its_frame_when_the_await_is_over) {
  int alive = 0;
  run_task(destroys_arguments(alive));
}

// -------------------------------------------------------------------------------------------------
// misuse
task<> await_twice() {
  task<int> once = give(1);
  co_await once;
  co_await once;
}
task<> await_what_was_moved() {
  task<int> from = give(1);
  const task<int> to = std::move(from);
  co_await from;
}
/// Suspends for ever.
struct never {
  static bool await_ready() noexcept { return false; }
  static void await_suspend(std::coroutine_handle<>) noexcept {}
  static void await_resume() noexcept {}
};
task<> hang() { co_await never{}; }

TEST(task, ends_the_process_when_it_is_misused) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(run_task(await_twice()), "a task is awaited or spawned once");
  EXPECT_DEATH(run_task(await_what_was_moved()), "a task that was moved from is not awaited");
  EXPECT_DEATH(run_task(hang()), "a task is not destroyed while it runs");
}

}  // namespace
}  // namespace filch::co
