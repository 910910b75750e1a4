// A limited task ends in time, or it is cancelled and awaited; the caller learns which.
#include <filch/algo/parallel_for.hpp>
#include <filch/co/await_spawned_test.hpp>
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

task<int> give_after(std::chrono::milliseconds length, std::atomic<int>& cancels) {
  try {
    co_await sleep_for(length);
  } catch (const cancelled&) {
    ++cancels;
    throw;
  }
  co_return 42;
}

TEST(with_timeout, gives_what_comes_in_time_and_nothing_else) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> cancels{0};
    EXPECT_EQ(block_on(pool, with_timeout(give_after(1ms, cancels), 1h)), 42);
    EXPECT_EQ(cancels, 0);
    const auto begin = steady_clock::now();
    EXPECT_EQ(block_on(pool, with_timeout(give_after(1'000'000ms, cancels), 5ms)), std::nullopt);
    EXPECT_GE(steady_clock::now() - begin, 5ms);
    EXPECT_EQ(cancels, 1);
  }
}

task<bool> is_given(std::chrono::nanoseconds limit) {
  std::atomic<int> cancels{0};
  co_return (co_await with_timeout(give_after(2ms, cancels), limit)).has_value();
}
task<bool> is_given_by_the_end_of_time() {
  std::atomic<int> cancels{0};
  co_return (co_await with_deadline(give_after(2ms, cancels), steady_clock::time_point::max()))
      .has_value();
}

TEST(with_timeout, of_any_length_is_as_long_as_that) {
  using std::chrono::nanoseconds;
  for (const nanoseconds limit :
       {nanoseconds::max(), nanoseconds::max() - 1ns, nanoseconds{291 * 365 * 24h}}) {
    EXPECT_TRUE(block_on(is_given(limit))) << limit.count();
  }
  EXPECT_TRUE(block_on(is_given_by_the_end_of_time()));
  std::atomic<int> cancels{0};
  EXPECT_TRUE(block_on(with_timeout(give_after(2ms, cancels), std::chrono::hours::max())));
  EXPECT_EQ(cancels, 0);
}

task<> yield_until_asked(std::atomic<bool>& has_ended) {
  const std::stop_token token = co_await get_stop_token();
  while (!token.stop_requested()) co_await co::yield();
  has_ended = true;
}

TEST(with_timeout, awaits_the_loser_and_gives_what_it_brought_on_request) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (const bool keep_next : {false, true}) {
      std::atomic<bool> has_ended{false};
      EXPECT_EQ(
          block_on(pool, keep_next ? with_timeout(yield_until_asked(has_ended), 2ms, keep_late)
                                   : with_timeout(yield_until_asked(has_ended), 2ms))
              .has_value(),
          keep_next);
      EXPECT_TRUE(has_ended);
    }
  }
}

// The one worker looks at the timer when the task has ended.
TEST(with_timeout, is_over_where_no_worker_was_free_for_the_timer) {
  thread_pool pool{{.workers = 1}};
  const auto compute = [](std::chrono::milliseconds length) -> task<int> {
    for (const auto end = steady_clock::now() + length; steady_clock::now() < end;) {
    }
    co_return 7;
  };
  EXPECT_EQ(block_on(pool, with_timeout(compute(20ms), 5ms)), std::nullopt);
  EXPECT_EQ(block_on(pool, with_timeout(compute(20ms), 5ms, keep_late)), 7);
  EXPECT_EQ(block_on(pool, with_timeout(compute(1ms), 1h)), 7);
}

task<> loop_for(std::chrono::milliseconds length) {
  const auto each = [](int) { std::this_thread::sleep_for(100us); };
  parallel_for(with(co_await get_stop_token()), 0, static_cast<int>(length / 100us), each);
}

// The only worker of a pool computes at the deadline, and looks at no timer.
TEST(with_timeout, ends_a_loop_on_any_number_of_workers) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int i = 0; i < 3; ++i) {  // the monitor sleeps, or was just awake
      const auto begin = steady_clock::now();
      EXPECT_FALSE(block_on(pool, with_timeout(loop_for(100s), 20ms)));
      EXPECT_LT(steady_clock::now() - begin, 10s);
    }
    EXPECT_TRUE(block_on(pool, with_timeout(loop_for(1ms), 1h)));
  }
}

// The loop's own limit is not the timeout: its end by that is a failure.
TEST(with_timeout, tells_of_a_loop_that_its_own_limit_ended) {
  thread_pool pool{{.workers = 1}};
  const auto loop = []() -> task<> {
    parallel_for(with(time_limit{1ms}), 0, 1'000'000,
                 [](int) { std::this_thread::sleep_for(100us); });
    co_return;
  };
  EXPECT_THROW(block_on(pool, with_timeout(loop(), 1h)), stopped);
}

// The monitor cancels both, and the sleep ends first.
TEST(with_timeout, is_over_also_if_the_sleep_was_cancelled_when_its_time_had_come) {
  thread_pool pool{{.workers = 1}};
  const auto computes_until_it_is_asked = []() -> task<> {
    const auto stop = co_await get_stop_token();
    while (!stop.stop_requested()) base::cpu_relax();
    co_await yield();
    parallel_for(with(stop), 0, 1, [](int) {});
  };
  EXPECT_FALSE(block_on(pool, with_timeout(computes_until_it_is_asked(), 2ms)));
}

task<> many_in_time(std::atomic<int>& in_time) {
  for (int i = 0; i < 100; ++i) {
    auto outer = with_timeout(loop_for(i % 2 == 0 ? 0ms : 100s), i % 3 == 0 ? 1h : 1ms);
    in_time += (co_await with_timeout(std::move(outer), i % 2 == 0 ? 1h : 3ms)).has_value() ? 1 : 0;
  }
}

TEST(with_timeout, within_others_leaves_nothing_behind) {
  thread_pool pool{{.workers = 1}};
  std::atomic<int> in_time{0};
  block_on(pool, many_in_time(in_time));
  EXPECT_GE(in_time, 50) << "each other one has an hour, whatever comes of the inner one";
}

TEST(with_timeout, ends_a_computation_that_checks_whether_it_is_to_stop) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    const auto compute = []() -> task<> {
      for (;;) {
        co_await co::throw_if_stopped();
        co_await co::yield();
      }
    };
    EXPECT_FALSE(block_on(pool, with_timeout(compute(), 2ms)));
  }
}

// The spawned task has a root of its own, which was not asked to stop.
TEST(with_timeout, of_the_wait_for_a_spawned_task_lasts_until_that_has_ended) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> cancels{0};
    EXPECT_EQ(block_on(pool, with_timeout(await_spawned(spawn(pool, give_after(20ms, cancels))),
                                          1ms, keep_late)),
              42);
    EXPECT_EQ(cancels, 0);
  }
}

task<bool> lock_in_time(async_mutex& lock) {
  auto locking = lock.lock();
  if (const auto held = co_await with_timeout(locking, 2ms)) co_return true;
  co_return (co_await with_timeout(lock.lock(), 2ms)).has_value();
}

TEST(with_timeout, of_a_lock_holds_it_or_leaves_it) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_mutex lock;
    {
      const async_lock held = filch::wait(lock.lock());
      EXPECT_FALSE(block_on(pool, lock_in_time(lock)));
      EXPECT_FALSE(pool.run([&] { return block_on(lock_in_time(lock)); }));  // of a plain job
    }
    EXPECT_TRUE(block_on(pool, lock_in_time(lock)));
    EXPECT_TRUE(lock.try_lock());
  }
}

TEST(with_timeout, of_a_channel_loses_no_value) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    channel<int> values{0};
    int sum = 0;
    join_handle<> sends = spawn(pool, [](channel<int>& to) -> task<> {
      for (int i = 1; i <= 200; ++i) {
        if (i % 4 == 0) co_await sleep_for(std::chrono::microseconds(50));
        static_cast<void>(co_await to.send(i));
      }
      to.close();
    }(values));
    block_on(pool, [](channel<int>& from, int& total) -> task<> {
      for (;;) {
        const auto found = co_await with_timeout(from.receive(), 50us);
        if (!found) continue;
        if (!*found) break;
        total += **found;
      }
    }(values, sum));
    block_on(std::move(sends));
    EXPECT_EQ(sum, 200 * 201 / 2);
  }
}

task<int&> refer(int& to) { co_return to; }
task<> fail() {
  co_await sleep_for(1us);
  throw std::runtime_error("failed");
}

TEST(with_timeout, gives_references_and_throws_what_the_task_threw) {
  int value = 1;
  EXPECT_EQ(block_on(with_timeout(refer(value), 1h)), &value);
  EXPECT_THROW(block_on(with_timeout(fail(), 1h)), std::runtime_error);
}

TEST(with_timeout, is_cancelled_with_its_awaiter) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> cancels{0};
      join_handle<bool> waits = spawn(pool, [](std::atomic<int>& count) -> task<bool> {
        try {
          co_await with_timeout(give_after(1'000'000ms, count), 1h);
        } catch (const cancelled&) {
          co_return true;
        }
        co_return false;
      }(cancels));
      if (round % 2 == 0) std::this_thread::sleep_for(100us);
      waits.cancel();
      EXPECT_TRUE(block_on(std::move(waits)));
    }
  }
}

TEST(with_timeout, is_over_at_once_where_the_time_has_come) {
  std::atomic<int> cancels{0};
  EXPECT_EQ(block_on(with_timeout(give_after(1'000'000ms, cancels), -1s)), std::nullopt);
  EXPECT_EQ(block_on(with_deadline(give_after(1'000'000ms, cancels), steady_clock::time_point{})),
            std::nullopt);
}

task<timeout_result<timeout_result<int>>> nested(std::atomic<int>& cancels,
                                                 std::chrono::milliseconds outer,
                                                 std::chrono::milliseconds inner) {
  co_return co_await with_timeout(with_timeout(give_after(1'000'000ms, cancels), inner), outer);
}

TEST(with_timeout, inside_another_says_whose_time_was_over) {
  std::atomic<int> cancels{0};
  EXPECT_FALSE(block_on(nested(cancels, 2ms, 1'000'000ms)).has_value());
  const auto inner = block_on(nested(cancels, 1'000'000ms, 2ms));
  ASSERT_TRUE(inner.has_value());
  EXPECT_FALSE(inner->has_value());
}

}  // namespace
}  // namespace filch::co
