// Handles of spawned tasks: misuse, awaiters that are destroyed, pools that end meanwhile.
#include <filch/co/block_on.hpp>
#include <filch/co/schedule_on.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/yield.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace filch::inline v0_2::co {
namespace {

using sync::widths;

task<int> give_one() { co_return 1; }

// -------------------------------------------------------------------------------------------------
// misuse
task<> await_twice() {
  join_handle<int> once = spawn(give_one());
  co_await once;
  co_await once;
}
task<> spawn_twice() {
  task<int> once = give_one();
  spawn(std::move(once));
  spawn(std::move(once));
  co_return;
}
task<> spawn_what_was_awaited() {
  task<int> once = give_one();
  co_await once;
  spawn(std::move(once));
}

TEST(spawn, ends_the_process_when_it_is_misused) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(block_on(await_twice()), "a spawned task is awaited once");
  EXPECT_DEATH(block_on(spawn_twice()), "a task that was moved from is not spawned");
  EXPECT_DEATH(block_on(spawn_what_was_awaited()), "a task is awaited or spawned once");
}

task<> go_round(int times, int& ended) {
  for (int i = 0; i < times; ++i) co_await co::yield();
  ++ended;
}
task<> drop_an_awaiter(int& ended) {
  join_handle<> runs = spawn(go_round(100, ended));
  static_cast<void>(runs.operator co_await());
  co_await co::yield();
}

TEST(spawned, an_awaiter_that_nobody_awaits_is_a_handle_that_was_dropped) {
  int ended = 0;
  {
    thread_pool pool{{.workers = 1}};
    block_on(pool, drop_an_awaiter(ended));
  }
  EXPECT_EQ(ended, 1);
}

// -------------------------------------------------------------------------------------------------
// strangers
using sync::foreign_coroutine;
task<> wait_and_count(async_event& event, std::atomic<int>& ended) {
  co_await event.wait();
  ++ended;
}
foreign_coroutine await_as_a_stranger(join_handle<> awaited, std::atomic<int>& ended) {
  co_await awaited;
  ++ended;
}

TEST(spawned, whose_awaiter_is_destroyed_in_mid_await_goes_on_by_itself) {
  for (const unsigned workers : widths) {
    std::atomic<int> ended{0};
    async_event event;
    auto pool = std::make_unique<thread_pool>(pool_options{.workers = workers});
    const foreign_coroutine stays =
        await_as_a_stranger(spawn(*pool, wait_and_count(event, ended)), ended);
    {
      const foreign_coroutine gone =
          await_as_a_stranger(spawn(*pool, wait_and_count(event, ended)), ended);
    }
    event.set();
    pool.reset();
    EXPECT_EQ(ended, 3) << "two tasks, and the coroutine that stays";
    EXPECT_TRUE(stays.has_ended());
  }
}

/// Like a coroutine of another library that is destroyed when it is about to be resumed.
void leave_too_late() {
  thread_pool pool{{.workers = 1}};
  join_handle<int> ends = spawn(pool, give_one());
  auto awaits = ends.operator co_await();
  awaits.await_suspend(std::noop_coroutine());
  while (!awaits.await_ready()) std::this_thread::yield();
}

TEST(spawned, whose_awaiter_is_destroyed_as_it_is_resumed_ends_the_process) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(leave_too_late(),
               "the awaiter of a spawned task is not destroyed once the task has ended");
}

// -------------------------------------------------------------------------------------------------
// pools that end. A thread that wakes the last task of another pool is not joined by that pool.
task<int> await_elsewhere(thread_pool& there) { co_return co_await spawn(there, give_one()); }
task<int> move_there(thread_pool& there) {
  co_await co::schedule_on(there);
  co_return 1;
}

TEST(spawned, a_pool_may_end_as_soon_as_a_task_in_another_one_has_told_its_waiter) {
  thread_pool lasting{{.workers = 1}};
  for (int i = 0; i < 300; ++i) {
    thread_pool brief{{.workers = 1}};
    EXPECT_EQ(i % 2 == 0 ? block_on(brief, await_elsewhere(lasting))
                         : block_on(lasting, move_there(brief)),
              1);
  }
}

}  // namespace
}  // namespace filch::co
