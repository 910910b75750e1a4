// An interval ticks on its grid: never early. Missed ticks are counted, and not made up for.
#include <filch/co/sync/mixed_test.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace filch::inline v0_2::co {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using sync::widths;

task<> tick_on_the_grid(int count) {
  const auto begin = steady_clock::now();
  interval beat{500us};
  std::uint64_t number = 0;
  steady_clock::time_point last = begin;
  for (int i = 0; i < count; ++i) {
    const tick each = co_await beat.next();
    EXPECT_GE(steady_clock::now(), each.due);
    if (i > 0) {
      EXPECT_EQ((each.due - last) % 500us, 0us);
    }
    number += 1 + each.missed;
    last = each.due + each.missed * 500us;
  }
  EXPECT_GE(last - begin, number * 500us);
  EXPECT_LE(last, steady_clock::now());
}

TEST(interval, ticks_on_its_grid_and_never_early) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    block_on(pool, tick_on_the_grid(20));
  }
}

TEST(interval, tells_what_was_missed_and_makes_up_for_nothing) {
  interval beat{5ms};
  std::this_thread::sleep_for(23ms);
  const tick late = filch::wait(beat.next());
  EXPECT_GE(late.missed, 3u);
  const tick next = filch::wait(beat.next());
  EXPECT_EQ(next.due - late.due, (late.missed + 1) * 5ms);
  EXPECT_GE(steady_clock::now(), next.due);
}

task<> wait_as_it_likes() {
  interval beat{2ms};
  auto kept = beat.next();
  auto other = beat.next();
  steady_clock::time_point last{};
  for (auto* const each : {&kept, &kept, &other, &kept}) {
    const tick now = co_await *each;
    EXPECT_GE(steady_clock::now(), now.due);
    EXPECT_GT(now.due, last);
    EXPECT_LT(now.missed, 1'000'000u);
    last = now.due;
  }
}

TEST(interval, gives_the_next_tick_to_a_wait_that_was_made_earlier) {
  block_on(wait_as_it_likes());
}

TEST(interval, refuses_a_period_of_nothing) {
  EXPECT_THROW(interval{0s}, std::invalid_argument);
  EXPECT_THROW(interval{-1s}, std::invalid_argument);
}

task<bool> tick_until_cancelled() {
  interval beat{24h};
  try {
    co_await beat.next();
  } catch (const cancelled&) {
    co_return true;
  }
  co_return false;
}

TEST(interval, ends_by_cancelled) {
  thread_pool pool{{.workers = 2}};
  join_handle<bool> ticks = spawn(pool, tick_until_cancelled());
  ticks.cancel();
  EXPECT_TRUE(block_on(std::move(ticks)));
}

}  // namespace
}  // namespace filch::co
