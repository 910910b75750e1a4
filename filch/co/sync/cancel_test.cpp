// A task that is asked to stop while it waits: the wait ends, and no other waiter is lost.
#include <filch/algo/parallel_for.hpp>
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/sync/mixed_test.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace filch::inline v0_2::co::sync {
namespace {

task<bool> waits_for_ever(async_event& never) {
  try {
    co_await never.wait();
  } catch (const cancelled&) {
    co_return true;
  }
  co_return false;
}
task<> cancel_one_of_three(async_event& event) {
  join_handle<bool> first = spawn(waits_for_ever(event)), second = spawn(waits_for_ever(event)),
                    third = spawn(waits_for_ever(event));
  co_await co::yield();
  second.cancel();
  EXPECT_TRUE(co_await second);
  event.set();
  EXPECT_FALSE(co_await first);
  EXPECT_FALSE(co_await third);
}

TEST(cancelled, ends_the_wait_of_that_task_only) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_event event;
    block_on(spawn(pool, cancel_one_of_three(event)));
  }
}

task<int> wait_beside_forks(async_event& never) {
  auto first = co_await co::fork(waits_for_ever(never));
  auto second = co_await co::fork(waits_for_ever(never));
  const bool third = co_await waits_for_ever(never);
  co_await co::join;
  co_return first.get() + second.get() + third;
}

TEST(cancelled, ends_the_waits_of_all_that_a_task_has_forked) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_event never;
    join_handle<int> waits = spawn(pool, wait_beside_forks(never));
    // They may or may not wait by now
    for (int i = 0; i < 3; ++i) pool.run([] { std::this_thread::yield(); });
    waits.cancel();
    EXPECT_EQ(block_on(std::move(waits)), 3);
  }
}

task<int> wait_after_the_request(async_event& never, async_mutex& free) {
  const std::stop_token token = co_await get_stop_token();
  while (!token.stop_requested()) co_await co::yield();
  const async_lock held = co_await free.lock();  // need not wait
  int ended = 0;
  for (int i = 0; i < 3; ++i) ended += co_await waits_for_ever(never);
  co_return ended;
}

TEST(cancelled, ends_every_later_wait_at_once_and_nothing_that_need_not_wait) {
  thread_pool pool{{.workers = 1}};
  async_event never;
  async_mutex free;
  join_handle<int> waits = spawn(pool, wait_after_the_request(never, free));
  waits.cancel();
  EXPECT_EQ(block_on(std::move(waits)), 3);
}

task<> wait_and_leave(async_event& never, std::atomic<int>& left) {
  struct leaves {
    std::atomic<int>& count;
    ~leaves() { ++count; }
  } const here{left};
  co_await never.wait();
}
task<> cancel_a_scope(async_event& never, std::atomic<int>& left, bool joins) {
  scope nursery;
  for (int i = 0; i < 3; ++i) nursery.spawn(wait_and_leave(never, left));
  co_await co::yield();
  if (!joins) co_return;
  nursery.cancel();
  co_await nursery.join();
}

TEST(cancelled, is_no_failure_of_a_scope) {
  for (const bool joins : {true, false}) {
    for (const unsigned workers : widths) {
      thread_pool pool{{.workers = workers}};
      async_event never;
      std::atomic<int> left{0};
      block_on(spawn(pool, cancel_a_scope(never, left, joins)));
      EXPECT_EQ(left, 3);
    }
  }
}

task<> wait_and_count(async_event& never, std::atomic<int>& begun, std::atomic<int>& left) {
  ++begun;
  co_await wait_and_leave(never, left);
}
// Waits for all children to begin: one that has not begun by the cancel never does
task<> fail_once(std::atomic<int>& begun, int wanted) {
  while (begun != wanted) co_await co::yield();
  throw std::runtime_error("as the test wants");
}
task<> fail_beside_waiting_tasks(async_event& never, std::atomic<int>& left) {
  std::atomic<int> begun{0};
  scope nursery;
  for (int i = 0; i < 3; ++i) nursery.spawn(wait_and_count(never, begun, left));
  nursery.spawn(fail_once(begun, 3));
  co_await nursery.join();
}

TEST(cancelled, is_not_what_a_scope_throws_that_fails) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_event never;
    std::atomic<int> left{0};
    EXPECT_THROW(block_on(spawn(pool, fail_beside_waiting_tasks(never, left))), std::runtime_error);
    EXPECT_EQ(left, 3);
  }
}

/// `begins` is called by the first iteration. The loop has all workers: no other task runs before
/// it ends.
task<> loop_until_asked(bool looks_at_token, std::function<void()> begins) {
  const auto each = [&begins](int i) {
    if (i == 0) begins();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  };
  const std::stop_token token = co_await get_stop_token();
  parallel_for(looks_at_token ? with(token) : with(time_limit{std::chrono::milliseconds(1)}), 0,
               1'000'000, each);
}
task<> cancel_loops(bool looks_at_token) {
  scope nursery;
  nursery.spawn(loop_until_asked(looks_at_token, [&] {
    if (looks_at_token) nursery.cancel();
  }));
  co_await nursery.join();
}

// A loop that its task's token asks to stop throws another exception than an await.
TEST(cancelled, is_what_a_loop_of_a_task_is_by_its_token) {
  thread_pool pool{{.workers = 2}};
  EXPECT_NO_THROW(block_on(pool, cancel_loops(true)));
  EXPECT_THROW(block_on(pool, cancel_loops(false)), stopped) << "nobody asked the scope to stop";
}

TEST(cancelled, of_a_loop_that_nobody_awaits_is_told_to_nobody) {
  static std::atomic<int> escaped{0};
  {
    thread_pool pool(pool_options{
        .workers = 1, .on_escaped_exception = [](std::exception_ptr) noexcept { ++escaped; }});
    std::atomic<int> begun{0};
    join_handle<> loops = spawn(pool, loop_until_asked(true, [&begun] { ++begun; }));
    while (begun == 0) std::this_thread::yield();
    loops.cancel();
  }
  EXPECT_EQ(escaped, 0);
}

TEST(cancelled, of_a_task_that_nobody_awaits_is_told_to_nobody) {
  async_event never;
  std::atomic<int> left{0};
  {
    thread_pool pool{{.workers = 1}};
    join_handle<> waits = spawn(pool, wait_and_leave(never, left));
    waits.cancel();
  }
  EXPECT_EQ(left, 1);
}

task<int> first_of(async_event& never, channel<int>& values) {
  auto first = co_await when_any(
      [](async_event& event) -> task<int> {
        co_await event.wait();
        co_return 0;
      }(never),
      [](channel<int>& from) -> task<int> {
        co_return (co_await from.receive()).value_or(0);
      }(values));
  co_return first.index == 1 ? std::get<1>(first.value) : -1;
}

TEST(cancelled, makes_when_any_a_choice_between_waits) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_event never;
    channel<int> values{0};
    join_handle<int> chooses = spawn(pool, first_of(never, values));
    EXPECT_EQ(filch::wait(values.send(7)), send_result::sent);
    EXPECT_EQ(block_on(std::move(chooses)), 7);
  }
}

// -------------------------------------------------------------------------------------------------
// races
task<> take_and_put_back(async_semaphore& permits, std::atomic<int>& taken) {
  const async_permit held = co_await permits.acquire();
  ++taken;
}

task<> take_many_and_put_back(async_semaphore& permits, std::size_t many) {
  const async_permit held = co_await permits.acquire(many);
}

TEST(cancelled, leaves_to_others_what_was_gathered_for_it) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_semaphore permits{2};
    join_handle<> wants_many = spawn(pool, take_many_and_put_back(permits, 3));
    while (permits.try_acquire()) std::this_thread::yield();  // it waits
    join_handle<> wants_two = spawn(pool, take_many_and_put_back(permits, 2));
    wants_many.cancel();
    EXPECT_THROW(block_on(std::move(wants_many)), cancelled);
    block_on(std::move(wants_two));
    EXPECT_TRUE(permits.try_acquire(2));
  }
}

TEST(cancelled, races_with_the_wake_and_no_permit_is_lost) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_semaphore permits{0};
    for (int round = 0; round < 500; ++round) {
      std::atomic<int> taken{0};
      join_handle<> first = spawn(pool, take_and_put_back(permits, taken)),
                    second = spawn(pool, take_and_put_back(permits, taken));
      std::thread cancels{[&] { first.cancel(); }};
      permits.put_back();
      block_on(pool, await_spawned(std::move(second)));
      cancels.join();
      try {
        block_on(pool, await_spawned(std::move(first)));
      } catch (const cancelled&) {
        ++taken;
      }
      EXPECT_EQ(taken, 2);
      async_permit in_the_end = permits.try_acquire();
      ASSERT_TRUE(in_the_end) << "the permit is there";
      in_the_end.detach();
      ASSERT_FALSE(permits.try_acquire());
    }
  }
}

task<long> receive_until_cancelled(channel<long>& from) {
  long sum = 0;
  try {
    while (const std::optional<long> found = co_await from.receive()) sum += *found;
  } catch (const cancelled&) {
  }
  co_return sum;
}

TEST(cancelled, loses_no_value_of_a_channel) {
  for (const std::size_t capacity : {0, 2}) {
    for (const unsigned workers : widths) {
      thread_pool pool{{.workers = workers}};
      for (int round = 0; round < 100; ++round) {
        channel<long> values{capacity};
        join_handle<long> stays = spawn(pool, receive_until_cancelled(values)),
                          leaves = spawn(pool, receive_until_cancelled(values));
        std::thread cancels{[&] { leaves.cancel(); }};
        for (long i = 1; i <= 20; ++i) EXPECT_EQ(filch::wait(values.send(i)), send_result::sent);
        values.close();
        cancels.join();
        EXPECT_EQ(block_on(pool, await_spawned(std::move(stays))) +
                      block_on(pool, await_spawned(std::move(leaves))),
                  210);
      }
    }
  }
}

}  // namespace
}  // namespace filch::co::sync
