// A sleep ends in time: never early, in order, whatever the workers do. A cancelled sleep ends.
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/timers/sleep_and_look_test.hpp>
#include <filch/metrics.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <stdexcept>

namespace filch::inline v0_2::co {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using sync::widths;

// -------------------------------------------------------------------------------------------------
// in time
task<> sleep_side_by_side(int count, std::atomic<int>& early) {
  scope nursery;
  for (int i = 0; i < count; ++i)
    nursery.spawn(sleep_and_look(std::chrono::microseconds(i * 37 % 5000), early));
  co_await nursery.join();
}

TEST(sleep, never_ends_early) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> early{0};
    block_on(spawn(pool, sleep_side_by_side(300, early)));
    EXPECT_EQ(early, 0);
  }
}

TEST(sleep, of_a_hundred_thousand_at_a_time_ends) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> early{0};
    block_on(spawn(pool, sleep_side_by_side(100'000, early)));
    EXPECT_EQ(early, 0);
  }
}

task<bool> sleep_for_nothing() {
  co_await sleep_for(-1h);
  co_await sleep_for(0s);
  co_await sleep_until(steady_clock::time_point{});
  co_return true;
}

TEST(sleep, until_a_time_that_is_over_is_none) { EXPECT_TRUE(block_on(sleep_for_nothing())); }

TEST(sleep, is_there_for_plain_functions_too) {
  thread_pool pool{{.workers = 2}};
  const auto begin = steady_clock::now();
  filch::wait(sleep_for(2ms));
  pool.run([] { filch::wait(sleep_for(2ms)); });
  EXPECT_GE(steady_clock::now() - begin, 4ms);
}

task<> sleep_twice() {
  co::timers::sleeping kept = sleep_for(1ms);
  co_await kept;
  co_await kept;  // its time has come
}

TEST(sleep, may_be_awaited_again) { block_on(sleep_twice()); }

// -------------------------------------------------------------------------------------------------
// cancelled
task<bool> sleep_until_cancelled() {
  try {
    co_await sleep_for(24h);
  } catch (const cancelled&) {
    co_return true;
  }
  co_return false;
}
task<bool> sleep_after_the_request() {
  const std::stop_token token = co_await get_stop_token();
  while (!token.stop_requested()) co_await co::yield();
  co_await sleep_for(0s);  // need not wait
  co_return co_await sleep_until_cancelled();
}

TEST(sleep, ends_by_cancelled_whether_it_began_before_or_after) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 50; ++round) {
      join_handle<bool> sleeps = spawn(pool, sleep_until_cancelled()),
                        later = spawn(pool, sleep_after_the_request());
      if (round % 2 == 0) pool.run([] { std::this_thread::yield(); });
      sleeps.cancel();
      later.cancel();
      EXPECT_TRUE(block_on(std::move(sleeps)));
      EXPECT_TRUE(block_on(std::move(later)));
    }
  }
}

TEST(sleep, that_is_cancelled_while_it_ends_does_so_once) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 300; ++round) {
      std::atomic<int> ends{0};
      join_handle<> sleeps = spawn(pool, [](std::atomic<int>& count) -> task<> {
        try {
          co_await sleep_for(50us);
        } catch (const cancelled&) {
        }
        ++count;
      }(ends));
      std::thread cancels{
          [&, until = steady_clock::now() + std::chrono::microseconds(round % 100)] {
            while (steady_clock::now() < until) {
            }
            sleeps.cancel();
          }};
      cancels.join();
      block_on(std::move(sleeps));
      EXPECT_EQ(ends, 1);
    }
  }
}

task<> cancel_all_but_the_last(std::atomic<int>& early) {
  scope others, last;
  last.spawn(sleep_and_look(10ms, early));
  for (int i = 0; i < 1000; ++i)
    others.spawn([](int each) -> task<> { co_await sleep_for(each % 7 * 1h + 1ms); }(i));
  co_await co::yield();
  others.cancel();
  co_await others.join();
  co_await last.join();
}

TEST(sleep, goes_on_when_all_around_it_are_cancelled) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> early{0};
    block_on(spawn(pool, cancel_all_but_the_last(early)));
    EXPECT_EQ(early, 0);
  }
}

// -------------------------------------------------------------------------------------------------
// of another library
sync::foreign_coroutine sleep_elsewhere(std::atomic<int>& ended, std::chrono::milliseconds length) {
  co_await sleep_for(length);
  ++ended;
}

TEST(sleep, of_another_librarys_coroutine_ends_or_is_destroyed) {
  std::atomic<int> ended{0};
  {
    const sync::foreign_coroutine goes = sleep_elsewhere(ended, 0ms);
    EXPECT_TRUE(goes.has_ended());
    const sync::foreign_coroutine dropped = sleep_elsewhere(ended, 1'000'000ms);
  }
  EXPECT_EQ(ended, 1);
}

sync::foreign_coroutine sleep_in_a_pool_that_cannot_be_made(bool& is_told) {
  try {
    co_await sleep_for(1ms);
  } catch (const std::invalid_argument&) {
    is_told = true;
  }
}
void sleep_with_a_wrong_setting() {
  ::setenv("FILCH_WORKERS", "many", 1);
  bool is_told = false;
  const sync::foreign_coroutine sleeps = sleep_in_a_pool_that_cannot_be_made(is_told);
  std::_Exit(is_told ? 42 : 1);
}

TEST(sleep, of_another_librarys_coroutine_throws_where_the_default_pool_cannot_be_made) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(sleep_with_a_wrong_setting(), ::testing::ExitedWithCode(42), "");
}

sync::foreign_coroutine wait_for_who_is_behind(base::steady_time at, async_latch& behind,
                                               std::atomic<bool>& ended) {
  co_await sleep_until(at);
  filch::wait(behind.wait());
  ended = true;
}
task<> sleep_behind(std::optional<sync::foreign_coroutine>& first, std::atomic<bool>& first_ended) {
  async_latch behind{1};
  // Taken here: if it were over before the first one sleeps, that one would wait here for ever
  const auto at = co::now() + 100ms;
  first.emplace(wait_for_who_is_behind(at, behind, first_ended));
  co_await sleep_until(at + 1us);
  behind.count_down();
  while (!first_ended) co_await co::yield();
}

TEST(sleep, of_another_librarys_coroutine_holds_up_no_sleep_due_with_it) {
  for (const unsigned workers : widths) {
    std::optional<sync::foreign_coroutine> first;  // outlives the thread that ends it
    std::atomic<bool> first_ended{false};
    thread_pool pool{{.workers = workers}};
    block_on(spawn(pool, sleep_behind(first, first_ended)));
  }
}

sync::foreign_coroutine destroy_when_due(base::steady_time at,
                                         std::optional<sync::foreign_coroutine>& other,
                                         std::atomic<bool>& done) {
  co_await sleep_until(at);
  other.reset();
  done = true;
}
sync::foreign_coroutine be_due(base::steady_time at, std::atomic<int>& ended) {
  co_await sleep_until(at);
  ++ended;
}

TEST(sleep, of_another_librarys_coroutine_may_be_destroyed_by_one_that_is_due_with_it) {
  std::optional<sync::foreign_coroutine> first, second;
  std::atomic<bool> done{false};
  std::atomic<int> ended{0};
  thread_pool pool{{.workers = 1}};
  pool.run([&] {
    const auto at = co::now() + 50ms;
    first.emplace(destroy_when_due(at, second, done));
    second.emplace(be_due(at + 1us, ended));
    // No worker looks meanwhile: both are due at the next look
    while (co::now() < at + 2ms) std::this_thread::yield();
  });
  while (!done) std::this_thread::yield();
  EXPECT_EQ(ended, 0);
}

task<> tick_often(int count) {
  for (interval beat{2ms}; count > 0; --count) co_await beat.next();
}

// The starter of a first timer wakes a worker to be its driver, as it may itself go on computing.
TEST(sleep, wakes_one_other_worker_for_each_and_no_second_one) {
  constexpr int count = 60;
  thread_pool pool{{.workers = 2}};
  pool.warm_up();
  block_on(spawn(pool, tick_often(count / 3)));
  const auto before = pool.metrics().total.wakes_sent;
  block_on(spawn(pool, tick_often(count)));
  EXPECT_LT(pool.metrics().total.wakes_sent - before, count * 3 / 2);
}

// Only the timer itself can wake another worker here: nothing is forked, and no task becomes ready.
TEST(sleep, begun_when_all_others_sleep_for_good_is_ended_by_one_of_them) {
  for (const bool somebody_keeps_time : {false, true}) {
    std::atomic<int> ended{0};
    std::optional<sync::foreign_coroutine> later, sooner;  // outlive the threads that end them
    thread_pool pool{{.workers = 2}};
    pool.warm_up();
    pool.run([&] {
      if (somebody_keeps_time) later.emplace(sleep_elsewhere(ended, 1'000'000ms));
      for (const auto until = steady_clock::now() + 30ms; steady_clock::now() < until;)
        std::this_thread::yield();
      sooner.emplace(sleep_elsewhere(ended, 1ms));
      const auto patience = steady_clock::now() + 10s;
      while (ended == 0 && steady_clock::now() < patience) std::this_thread::yield();
      EXPECT_EQ(ended, 1);
    });
    later.reset();
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace filch::co
