// A scope that is left without `join`: what becomes of a child's failure.
#include <filch/co/block_on.hpp>
#include <filch/co/scope.hpp>
#include <filch/co/sync/async_event.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/timers/sleep.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

namespace filch::inline v0_2::co {
namespace {

std::atomic<int> escaped{0};
void count_escaped(std::exception_ptr) noexcept { ++escaped; }
pool_options two_workers() {
  escaped = 0;
  return {.workers = 2, .on_escaped_exception = &count_escaped};
}

struct failed : std::exception {};
task<> tell_and_fail(async_event& failing) {
  failing.set();
  throw failed();
  co_return;
}
/// Calls `act` while an exception is in flight.
template <class Act>
void unwind_through(Act act) {
  struct clean_up {
    Act& act;
    ~clean_up() { act(); }
  };
  try {
    const clean_up last{act};
    throw 1;
  } catch (int) {
  }
}

task<> leave_a_failing_child(bool throws) {
  async_event failing;
  scope nursery;
  nursery.spawn(tell_and_fail(failing));
  co_await failing.wait();
  if (throws) throw std::logic_error("seen by the awaiter");
}

TEST(scope_left, tells_the_pool_of_a_failure_that_nobody_joined) {
  thread_pool pool{two_workers()};
  block_on(pool, leave_a_failing_child(false));
  EXPECT_EQ(escaped, 1);
  EXPECT_THROW(block_on(pool, leave_a_failing_child(true)), std::logic_error);
  EXPECT_EQ(escaped, 1) << "one of two exceptions is told already";
}

/// Asks each time: clang takes the id to be the same before and after an await.
[[gnu::noinline]] std::thread::id this_thread() {
  asm volatile("" : : : "memory");
  return std::this_thread::get_id();
}

task<> leave_on_another_thread() {
  const std::thread::id begun_on = this_thread();
  async_event failing;
  scope nursery;
  nursery.spawn(tell_and_fail(failing));
  co_await failing.wait();
  while (this_thread() == begun_on) co_await sleep_for(std::chrono::milliseconds(1));
  throw std::logic_error("seen by the awaiter");
}

TEST(scope_left,
     by_an_exception_elsewhere_than_where_it_was_made_while_another_one_was_on_its_way) {
  thread_pool pool{two_workers()};
  bool threw = false;
  unwind_through([&] {
    try {
      block_on(pool, leave_on_another_thread());
    } catch (const std::logic_error&) {
      threw = true;
    }
  });
  EXPECT_TRUE(threw);
  EXPECT_EQ(escaped, 0) << "one of two exceptions is told already";
}

struct strangers_events {
  async_event failing, goes_on, left;
};
sync::foreign_coroutine leave_as_a_stranger(strangers_events& at, bool throws) {
  try {
    scope nursery;
    nursery.spawn(tell_and_fail(at.failing));
    co_await at.goes_on.wait();
    if (throws) throw std::logic_error("caught here");
  } catch (const std::logic_error&) {
  }
  at.left.set();
}

TEST(scope_left, by_a_stranger_that_began_while_an_exception_was_on_its_way) {
  strangers_events at;
  std::optional<sync::foreign_coroutine> stranger;
  thread_pool pool{two_workers()};
  pool.run([&] { unwind_through([&] { stranger.emplace(leave_as_a_stranger(at, true)); }); });
  filch::wait(at.failing.wait());
  pool.submit([&] { at.goes_on.set(); });
  filch::wait(at.left.wait());
  EXPECT_EQ(escaped, 0) << "one of two exceptions is told already";
}

TEST(scope_left, in_peace_while_an_exception_is_on_its_way_below_tells_the_pool) {
  strangers_events at;
  std::optional<sync::foreign_coroutine> stranger;
  thread_pool pool{two_workers()};
  pool.run([&] {
    stranger.emplace(leave_as_a_stranger(at, false));
    filch::wait(at.failing.wait());
    unwind_through([&] { at.goes_on.set(); });
  });
  EXPECT_EQ(escaped, 1);
}

TEST(scope_left, by_a_plain_function_that_cleans_up_tells_the_pool) {
  thread_pool pool{two_workers()};
  pool.run([] {
    unwind_through([] {
      async_event failing;
      scope nursery;
      nursery.spawn(tell_and_fail(failing));
      filch::wait(failing.wait());
    });
  });
  EXPECT_EQ(escaped, 1);
}

TEST(scope_left, outside_of_pools_tells_the_pool_of_the_child) {
  thread_pool pool{two_workers()};
  const auto fail_in = [&](scope& nursery, auto... how) {
    async_event failing;
    nursery.spawn(how..., tell_and_fail(failing));
    filch::wait(failing.wait());
  };
  {
    scope nursery{with(pool)};
    fail_in(nursery);
  }
  EXPECT_EQ(escaped, 1);
  {
    scope nursery;
    fail_in(nursery, with(pool));
  }
  EXPECT_EQ(escaped, 2);
}

TEST(scope_left, by_a_plain_function_that_fails_itself_does_not) {
  thread_pool pool{two_workers()};
  const auto fail_beside_a_child = [] {
    async_event failing;
    scope nursery;
    nursery.spawn(tell_and_fail(failing));
    filch::wait(failing.wait());
    throw std::logic_error("seen by the caller");
  };
  EXPECT_THROW(pool.run(fail_beside_a_child), std::logic_error);
  EXPECT_EQ(escaped, 0);
}

}  // namespace
}  // namespace filch::co
