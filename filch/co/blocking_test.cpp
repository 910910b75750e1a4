// Awaited calls that wait in the kernel: they share the spares of the pool, and never more of them
// wait at once than there are spares.
#include <filch/co.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;

task<int> blocked_sum(int a, int b) {
  const auto slow_sum = [a, kept = std::make_unique<int>(b)] { return a + *kept; };
  co_return co_await co::blocking([&] { return slow_sum(); });
}
task<> blocked_throw() {
  co_await co::blocking([] { throw std::runtime_error("no such file"); });
}

TEST(co_blocking, gives_what_the_function_returns_or_throws) {
  thread_pool pool({.workers = 2});
  EXPECT_EQ(block_on(spawn(pool, blocked_sum(3, 4))), 7);
  EXPECT_THROW(block_on(spawn(pool, blocked_throw())), std::runtime_error);
  EXPECT_EQ(block_on(blocked_sum(1, 2)), 3) << "in the default pool";
}

struct crowd {
  std::atomic<int> inside{0}, most{0};
  std::atomic<bool> may_leave{false};
};
void wait_inside(crowd& of) {
  const int here = ++of.inside;
  for (int most = of.most; most < here && !of.most.compare_exchange_weak(most, here);) {
  }
  while (!of.may_leave) std::this_thread::sleep_for(100us);
  --of.inside;
}
task<> join_crowd(crowd& of) {
  co_await co::blocking([&] { wait_inside(of); });
}

// Without permits each would take a thread, and none would be left for the job.
TEST(co_blocking, leaves_threads_for_others_however_many_wait) {
  for (const unsigned workers : {1u, 2u}) {
    for (const unsigned spares : {1u, 3u}) {
      thread_pool pool({.workers = workers, .max_spares = spares});
      crowd all;
      std::vector<join_handle<>> tasks;
      for (int i = 0; i < 50; ++i) tasks.push_back(spawn(pool, join_crowd(all)));
      while (all.inside < static_cast<int>(spares)) std::this_thread::sleep_for(100us);
      async_event ran;
      pool.submit([&] { ran.set(); });
      filch::wait(ran.wait());
      all.may_leave = true;
      for (join_handle<>& each : tasks) block_on(std::move(each));
      EXPECT_EQ(all.most, static_cast<int>(spares));
    }
  }
}

task<> tick(const crowd& until, std::atomic<int>& ticks) {
  for (; !until.may_leave; ++ticks) co_await sleep_for(1ms);
}

// The thread that wakes for due timers is one more than those that may block and compute.
TEST(co_blocking, that_takes_all_spares_leaves_timers_a_thread_while_all_work) {
  for (const unsigned spares : {0u, 1u}) {
    crowd blocks, computes;
    std::atomic<int> ticks{0};
    thread_pool pool({.workers = 2, .max_spares = spares});
    join_handle<> timer = spawn(pool, tick(computes, ticks));
    for (unsigned i = 0; i < spares; ++i) spawn(pool, join_crowd(blocks));
    while (blocks.inside < static_cast<int>(spares)) std::this_thread::sleep_for(100us);
    for (int i = 0; i < 2; ++i) pool.submit([&] { wait_inside(computes); });
    while (computes.inside < 2) std::this_thread::sleep_for(100us);
    const int before = ticks;
    const auto patience = std::chrono::steady_clock::now() + 10s;
    while (ticks < before + 3 && std::chrono::steady_clock::now() < patience)
      std::this_thread::sleep_for(100us);
    EXPECT_GE(ticks, before + 3) << spares << " spares";
    blocks.may_leave = computes.may_leave = true;
    block_on(std::move(timer));
  }
}

// The call takes one of two threads; if it took a permit, that would be the only one.
TEST(co_blocking, a_plain_call_may_wait_for_one_that_waits_for_its_turn) {
  thread_pool pool({.workers = 1, .max_spares = 1});
  std::atomic<int> sum{0};
  pool.run([&] { blocking([&] { sum = block_on(spawn(pool, blocked_sum(3, 4))); }); });
  pool.submit([&] {
    join_handle<int> waits = spawn(pool, blocked_sum(5, 6));
    blocking([&] { sum += block_on(std::move(waits)); });
  });
  while (sum != 18) std::this_thread::sleep_for(100us);
}

// In whatever order they come, calls of both kinds wait only for each other's threads.
TEST(co_blocking, goes_on_at_the_cap_beside_plain_calls) {
  thread_pool pool({.workers = 2, .max_spares = 1});
  std::atomic<int> ran{0};
  std::vector<join_handle<>> tasks;
  for (int i = 0; i < 40; ++i) {
    pool.submit([&] {
      blocking([] { std::this_thread::sleep_for(100us); });
      ++ran;
    });
    tasks.push_back(spawn(pool, [](std::atomic<int>& count) -> task<> {
      co_await co::blocking([] { std::this_thread::sleep_for(100us); });
      ++count;
    }(ran)));
  }
  for (join_handle<>& each : tasks) block_on(std::move(each));
  while (ran != 80) std::this_thread::sleep_for(100us);
}

TEST(co_blocking, a_task_that_waits_for_its_turn_can_be_cancelled) {
  thread_pool pool({.workers = 1, .max_spares = 1});
  crowd all;
  join_handle<> first = spawn(pool, join_crowd(all));
  while (all.inside == 0) std::this_thread::sleep_for(100us);
  join_handle<> second = spawn(pool, join_crowd(all));
  second.cancel();
  EXPECT_THROW(block_on(std::move(second)), co::cancelled);
  all.may_leave = true;
  block_on(std::move(first));
  EXPECT_EQ(all.most, 1);
}

TEST(co_blocking, turns_are_given_back_when_the_function_throws) {
  thread_pool pool({.workers = 1, .max_spares = 1});
  for (int i = 0; i < 3; ++i)
    EXPECT_THROW(block_on(spawn(pool, blocked_throw())), std::runtime_error);
}

}  // namespace
}  // namespace filch
