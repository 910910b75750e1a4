// A pool that is ended with a deadline: its tasks in other pools, and its end by any thread.
#include <filch/co/block_on.hpp>
#include <filch/co/blocking.hpp>
#include <filch/co/schedule_on.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/visitors_test.hpp>
#include <filch/co/yield.hpp>
#include <filch/fork.hpp>
#include <filch/stop.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;
using co::sync::widths;

task<> move_and_wait(thread_pool& to, channel<int>& from, visitors& who) {
  co_await sleep_for(1us);  // so that its first pool knows it
  co_await co::schedule_on(to);
  const visitors::stay here{who};
  co_await from.receive();
}

TEST(stop, asks_tasks_where_they_are_now) {
  thread_pool first{{.workers = 1}}, second{{.workers = 1}};
  channel<int> never{1};
  visitors who;
  spawn(first, move_and_wait(second, never, who));
  await(who.inside, 1);
  EXPECT_TRUE(first.stop(1ms).is_finished());
  std::atomic<int> behind{0};
  second.submit([&] { ++behind; });  // if the task had been asked, it would run first
  await(behind, 1);
  EXPECT_EQ(who.inside, 1);
  EXPECT_TRUE(second.stop(1ms, 1h).is_finished());
  EXPECT_EQ(who.inside, 0);
}

TEST(stop, a_handle_may_outlive_its_pool) {
  channel<int> never{1};
  visitors who;
  std::optional<join_handle<>> handle;
  {
    thread_pool pool{{.workers = 1}};
    handle.emplace(spawn(pool, receive(never, who)));
    await(who.inside, 1);
    EXPECT_TRUE(pool.stop(0ms, 1h).is_finished());
  }
  EXPECT_TRUE(handle->is_finished());
  handle->cancel();
}

task<bool> is_refused_to_a_task(thread_pool& own) {
  co_await co::yield();
  try {
    static_cast<void>(own.stop(1h));
  } catch (const std::logic_error&) {
    co_return true;
  }
  co_return false;
}

TEST(stop, is_refused_to_the_pools_own_tasks) {
  thread_pool pool{{.workers = 1}};
  EXPECT_TRUE(block_on(spawn(pool, is_refused_to_a_task(pool))));
  EXPECT_TRUE(block_on(pool, is_refused_to_a_task(pool)));
}

task<> destroy_its_pool(thread_pool* own, async_event& went_on) {
  delete own;
  co_await co::yield();
  co_await sleep_for(1ms);
  co_await co::blocking([] { filch::wait(sleep_for(1us)); });
  EXPECT_TRUE(pool_here().is_current());
  went_on.set();
}

TEST(stop, is_what_a_task_does_that_destroys_its_own_pool_and_it_goes_on) {
  for (const unsigned workers : widths) {
    auto* const pool = new thread_pool{{.workers = workers}};
    async_event went_on;
    spawn(*pool, destroy_its_pool(pool, went_on));
    filch::wait(went_on.wait());
  }
}

TEST(stop, is_refused_to_the_pools_own_jobs) {
  thread_pool pool{{.workers = 1}};
  pool.run([&] {
    EXPECT_THROW(static_cast<void>(pool.stop(1h)), std::logic_error);
    blocking([&] { EXPECT_THROW(static_cast<void>(pool.stop(1h)), std::logic_error); });
  });
  int ran = 0;
  pool.run([&] { ++ran; });
  EXPECT_EQ(ran, 1);
}

TEST(stop, may_be_called_by_several) {
  for (int round = 0; round < 20; ++round) {
    thread_pool pool{{.workers = 2}};
    channel<int> never{1};
    visitors who;
    for (int i = 0; i < 10; ++i) spawn(pool, receive(never, who));
    await(who.inside, 10);
    std::thread other{[&] { EXPECT_TRUE(pool.stop(0ms, 1h).is_finished()); }};
    EXPECT_TRUE(pool.stop(std::chrono::steady_clock::now() + 1ms, 1h).is_finished());
    other.join();
    EXPECT_EQ(who.inside, 0);
  }
}

TEST(stop, lets_another_pool_go_on_whose_job_it_is) {
  thread_pool caller{{.workers = 1}}, pool{{.workers = 1}};
  std::atomic<bool> may_end{false};
  pool.submit([&] {
    while (!may_end) std::this_thread::yield();
  });
  caller.run([&] {
    caller.submit([&] { may_end = true; });
    EXPECT_TRUE(pool.stop(1h).is_finished());
  });
}

TEST(stop, leaves_alone_what_a_thread_inside_does_with_its_groups) {
  for (int round = 0; round < 200; ++round) {
    thread_pool pool{{.workers = 1}};
    std::atomic<int> ran{0};
    std::atomic<bool> has_begun{false};
    std::thread visitor{[&] {
      pool.run([&] {
        for (int i = 0; i < 50; ++i) {
          task_group group;
          for (int j = 0; j < 10; ++j) group.run([&] { ++ran; });
          has_begun = true;
          group.wait();
        }
      });
    }};
    while (!has_begun) std::this_thread::yield();
    static_cast<void>(pool.stop(std::chrono::microseconds(round), 1h));
    visitor.join();
    EXPECT_EQ(ran, 500);
  }
}

TEST(stop, takes_any_deadline) {
  {
    thread_pool pool{{.workers = 1}};
    std::atomic<int> ran{0};
    for (int i = 0; i < 1000; ++i) pool.submit([&] { ++ran; });
    EXPECT_TRUE(pool.stop(std::chrono::hours::max(), std::chrono::hours::max()).is_finished());
    EXPECT_EQ(ran, 1000) << "as long as it takes";
  }
  thread_pool pool{{.workers = 1}};
  EXPECT_TRUE(pool.stop(std::chrono::steady_clock::time_point{}).is_finished()) << "long past";
  EXPECT_TRUE(pool.stop(std::chrono::time_point_cast<std::chrono::milliseconds>(
                            std::chrono::steady_clock::now()))
                  .is_finished());
  EXPECT_TRUE(pool.stop(-1s, std::chrono::duration<double>(-1)).is_finished());
}

}  // namespace
}  // namespace filch
