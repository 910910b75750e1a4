#include <filch/co/block_on.hpp>
#include <filch/co/run_task_test.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/stop_token.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/yield.hpp>
#include <filch/fork.hpp>
#include <filch/metrics.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace filch::inline v0_2::co {
namespace {

using sync::widths;

task<int> give(int value) { co_return value; }
task<int> fail(const char* why) {
  throw std::runtime_error(why);
  co_return 0;
}
task<int> give_after(async_event& event) {
  co_await event.wait();
  co_return 7;
}
task<> count(std::atomic<int>& counter) {
  ++counter;
  co_return;
}

task<int> spawn_and_await(int tasks) {
  std::vector<join_handle<int>> handles;
  for (int i = 0; i < tasks; ++i) handles.push_back(spawn(give(i)));
  int sum = 0;
  for (join_handle<int>& each : handles) sum += co_await each;
  co_return sum;
}

TEST(spawn, brings_what_the_tasks_return) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 20; ++round)
      EXPECT_EQ(block_on(pool, spawn_and_await(1000)), 499500);
  }
}

task<int> chain(int left) {
  if (left == 0) co_return 0;
  co_return 1 + co_await spawn(chain(left - 1));
}

TEST(spawn, nests_without_stack) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    EXPECT_EQ(block_on(pool, chain(100'000)), 100'000);
  }
}

task<std::string> catch_what_is_thrown() {
  try {
    co_await spawn(fail("on its own"));
  } catch (const std::runtime_error& caught) {
    co_return caught.what();
  }
  co_return "nothing";
}

TEST(spawn, brings_exceptions) { EXPECT_EQ(block_on(catch_what_is_thrown()), "on its own"); }

void compute_for(std::chrono::nanoseconds length) {
  for (const auto end = std::chrono::steady_clock::now() + length;
       std::chrono::steady_clock::now() < end;) {
  }
}

task<> compute_and_wait(async_event& event, std::atomic<int>& stage) {
  stage = 1;
  compute_for(std::chrono::microseconds{30});
  stage = 2;
  co_await event.wait();
}

// The fork is still private when its owner falls asleep without its slot, and no other thread will
// expose it: the worker that ran the task just then has to look.
TEST(block_on, in_a_left_side_may_wait_for_the_right_one) {
  thread_pool pool{{.workers = 2}};
  for (int round = 0; round < 300; ++round) {
    for (int i = 0; round % 8 == 0 && i < 4; ++i) {
      pool.submit([] {});
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    pool.run([&] {
      async_event event;
      std::atomic<int> stage{0};
      join_handle<void> waits = spawn(pool, compute_and_wait(event, stage));
      while (stage < 1) std::this_thread::yield();
      filch::join([] {}, [] {});  // takes the request that stands
      const auto wait = [&] {
        while (stage < 2) std::this_thread::yield();
        compute_for(std::chrono::nanoseconds{round * 37 % 16 * 250});
        block_on(std::move(waits));
      };
      filch::join(wait, [&] { event.set(); });
    });
  }
}

TEST(spawn, may_be_awaited_from_a_plain_thread) {
  thread_pool pool{{.workers = 2}};
  join_handle<int> begun = spawn(pool, give(5));
  EXPECT_EQ(block_on(std::move(begun)), 5);
}

TEST(spawn, is_awaited_from_a_plain_thread_without_another_pool) {
  thread_pool pool{{.workers = 1}};
  const std::uint64_t before = default_pool().metrics().total.visits;
  async_event event;
  join_handle<int> waits = spawn(pool, give_after(event));
  std::thread sets{[&] { event.set(); }};
  EXPECT_EQ(block_on(std::move(waits)), 7);
  sets.join();
  EXPECT_THROW(block_on(spawn(pool, fail("awaited"))), std::runtime_error);
  EXPECT_EQ(default_pool().metrics().total.visits, before);
}

TEST(spawn, finishes_dropped_and_detached_tasks_before_the_pool_ends) {
  std::atomic<int> counter{0};
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int i = 0; i < 500; ++i) {
      spawn(pool, count(counter));
      spawn(pool, count(counter)).detach();
    }
  }
  EXPECT_EQ(counter, 3000);
}

task<> note(std::vector<int>& order, int number) {
  order.push_back(number);
  co_return;
}
task<> spawn_in_order(std::vector<int>& order) {
  std::vector<join_handle<>> all;
  for (int i = 0; i < 10; ++i) all.push_back(spawn(note(order, i)));
  for (join_handle<>& each : all) co_await each;
}

TEST(spawn, begins_tasks_first_in_first_out) {
  thread_pool pool{{.workers = 1}};
  std::vector<int> order;
  block_on(spawn(pool, spawn_in_order(order)));
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

// -------------------------------------------------------------------------------------------------
// beside joins
task<long> join_inside(int n) {
  if (n < 2) co_return n;
  const auto [a, b] = filch::join([n] { return block_on(join_inside(n - 1)); },
                                  [n] { return block_on(join_inside(n - 2)); });
  co_return a + b;
}

TEST(spawn, mixes_with_joins) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    EXPECT_EQ(block_on(pool, join_inside(12)), 144);
  }
}

TEST(spawn, is_awaited_by_a_job_that_gives_its_slot_away) {
  thread_pool pool{{.workers = 1}};
  pool.run([] {
    task_group jobs;
    for (int i = 0; i < 20; ++i) {
      jobs.run([i] { EXPECT_EQ(block_on(spawn(chain(i))), i); });
    }
    jobs.wait();
  });
}

// -------------------------------------------------------------------------------------------------
// cancelling
task<bool> was_asked_to_stop() {
  const std::stop_token token = co_await get_stop_token();
  co_return token.stop_requested();
}
task<bool> ask_deep_below() { co_return co_await was_asked_to_stop(); }
task<int> cancel_before_it_begins() {
  join_handle<bool> first = spawn(ask_deep_below());
  join_handle<bool> second = spawn(ask_deep_below());
  first.cancel();
  const bool first_was = co_await first, second_was = co_await second;
  co_return first_was * 2 + second_was;
}

TEST(spawn, cancels_what_it_calls_and_nothing_else) {
  thread_pool pool{{.workers = 1}};
  EXPECT_EQ(block_on(spawn(pool, cancel_before_it_begins())), 2);
}

task<> run_until_stopped(std::atomic<bool>& began) {
  const std::stop_token token = co_await get_stop_token();
  began = true;
  while (!token.stop_requested()) std::this_thread::yield();
}

TEST(spawn, cancels_a_task_that_runs) {
  thread_pool pool{{.workers = 1}};
  std::atomic<bool> began{false};
  join_handle<> running = spawn(pool, run_until_stopped(began));
  while (!began) std::this_thread::yield();
  EXPECT_FALSE(running.is_finished());
  running.cancel();
  block_on(std::move(running));
}

task<int> await_shielded(async_event& event) { co_return co_await spawn(give_after(event)); }

TEST(spawn, shields_a_task_when_its_awaiter_is_cancelled) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_event event;
    join_handle<int> awaits = spawn(pool, await_shielded(event));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // it may wait by now or not
    awaits.cancel();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_FALSE(awaits.is_finished());
    event.set();
    EXPECT_EQ(block_on(std::move(awaits)), 7);
  }
}

TEST(spawn, gives_a_token_that_never_asks_where_nobody_could_cancel) {
  EXPECT_FALSE(run_task(was_asked_to_stop()));
  EXPECT_FALSE(block_on(was_asked_to_stop()));
}

// -------------------------------------------------------------------------------------------------
// unobserved
std::atomic<int> escaped{0};
void count_escaped(std::exception_ptr) noexcept { ++escaped; }

TEST(spawn, tells_the_pool_of_exceptions_that_nobody_awaits) {
  escaped = 0;
  {
    thread_pool pool{{.workers = 1, .on_escaped_exception = &count_escaped}};
    spawn(pool, fail("dropped"));
    join_handle<int> late = spawn(pool, fail("dropped late"));
    while (!late.is_finished()) std::this_thread::yield();
    late.detach();
    EXPECT_THROW(block_on(spawn(pool, fail("awaited"))), std::runtime_error);
  }
  EXPECT_EQ(escaped, 2);
}

TEST(spawn, tells_of_them_after_the_pool_is_gone) {
  escaped = 0;
  {
    auto pool = std::make_unique<thread_pool>(
        pool_options{.workers = 1, .on_escaped_exception = &count_escaped});
    const join_handle<int> kept = spawn(*pool, fail("kept"));
    pool.reset();
    EXPECT_EQ(escaped, 0);
  }
  EXPECT_EQ(escaped, 1);
}

TEST(spawn, ends_the_process_when_an_exception_is_lost) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        thread_pool pool{{.workers = 1}};
        spawn(pool, fail("lost"));
      },
      "an exception escaped");
}

// -------------------------------------------------------------------------------------------------
// stopped pools
TEST(spawn, is_refused_by_a_stopped_pool) {
  thread_pool pool{{.workers = 1}};
  std::atomic<int> counter{0};
  pool.request_stop();
  EXPECT_THROW(spawn(pool, count(counter)), pool_stopped);
  EXPECT_THROW(block_on(pool, count(counter)), pool_stopped);
  EXPECT_EQ(counter, 0);
}

task<> stop_and_go_on(thread_pool& pool, std::atomic<int>& counter, std::atomic<int>& refused) {
  join_handle<> awaited = spawn(count(counter));
  spawn(count(counter));
  pool.request_stop();
  try {
    co_await awaited;
  } catch (const pool_stopped&) {
    ++refused;
  }
}

TEST(spawn, what_has_begun_goes_on_in_a_stopped_pool_and_what_has_not_is_dropped) {
  std::atomic<int> counter{0}, refused{0};
  {
    thread_pool pool{{.workers = 1}};
    spawn(pool, stop_and_go_on(pool, counter, refused));
  }
  EXPECT_EQ(counter, 0);
  EXPECT_EQ(refused, 1);
}

}  // namespace
}  // namespace filch::co
