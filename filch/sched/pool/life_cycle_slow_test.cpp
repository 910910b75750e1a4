// A hundred thousand pools, each of which ends while its threads are still starting and its jobs
// submit others. The maker of the pool submits before the end, and the pool's jobs, for which the
// destructor waits, submit until then. A call from another thread during the destructor would be
// the use of a destroyed object, as for any other object.
#include <filch/base/sanitized_test.hpp>
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using filch::thread_pool;
using filch::base::is_sanitized;

/// One pool: `job_count` jobs, some of which submit another one when the destructor may be waiting
/// already. Returns how many must run.
int live_and_die(int job_count, std::atomic<int>& ran) {
  int expected = 0;
  thread_pool pool({.workers = 2});
  for (int i = 0; i < job_count; ++i) {
    const bool breeds = i % 2 == 1;
    pool.submit([&ran, breeds] {
      ++ran;
      if (breeds) filch::this_pool()->submit([&ran] { ++ran; });
    });
    expected += breeds ? 2 : 1;
  }
  return expected;
}

TEST(life_cycle, submit_races_the_destructor_and_nothing_is_lost) {
  // A sanitizer makes each thread cost ten times as much, and finds with fewer what it can find.
  constexpr int cycles = is_sanitized ? 10'000 : 100'000;
  // Each with pools of its own, so that starts and ends of many threads meet
  constexpr int makers = 4;
  std::atomic<int> ran{0};
  std::atomic<int> expected{0};
  std::vector<std::thread> threads;
  for (int maker = 0; maker < makers; ++maker) {
    threads.emplace_back([&] {
      for (int i = 0; i < cycles / makers; ++i) expected += live_and_die(i % 4, ran);
    });
  }
  for (auto& each : threads) each.join();
  EXPECT_EQ(ran, expected);
}

TEST(life_cycle, a_pool_of_a_thousand_workers_can_have_all_of_them) {
  if (filch::base::is_sanitized) GTEST_SKIP() << "a sanitizer's threads take too much memory";
  thread_pool pool({.workers = 1000});
  pool.warm_up();
  EXPECT_EQ(pool.metrics().total.threads_started, 1000u);
  std::atomic<int> ran{0};
  for (int i = 0; i < 10'000; ++i) pool.submit([&] { ++ran; });
  while (ran != 10'000) std::this_thread::yield();
}

}  // namespace
