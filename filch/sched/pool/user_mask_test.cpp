// The CPUs that a user gives to the threads of a pool, as `taskset -ap` does.
#if defined(__linux__)
#include <filch/filch.hpp>
#include <filch/topo/affinity.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include <sched.h>

namespace {

using filch::pinning;
using filch::pool_options;
using filch::thread_pool;
using filch::topo::affinity_of;
using filch::topo::current_affinity;

using cpus = std::vector<unsigned>;

void set_affinity(int thread, const cpus& allowed) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const unsigned cpu : allowed) CPU_SET(cpu, &mask);
  ASSERT_EQ(::sched_setaffinity(thread, sizeof mask, &mask), 0);
}

/// The worker's own thread, which runs a job meanwhile.
int thread_of(thread_pool& pool) {
  std::atomic<int> number{0};
  pool.submit([&] { number = filch::topo::current_thread().number; });
  while (number == 0) std::this_thread::yield();
  return number;
}

void expect_masks_to_stay(const pool_options& options) {
  const cpus all = current_affinity();
  thread_pool pool(options);
  pool.warm_up();
  // Else a job may start a second thread
  while (pool.metrics().total.parks == 0) std::this_thread::yield();
  const int thread = thread_of(pool);
  for (unsigned round = 0; round < 400 && !testing::Test::HasFailure(); ++round) {
    const cpus wanted = round % 2 != 0 ? all : cpus{all[round / 2 % all.size()]};
    // Parked, in a timed park, or about to park
    std::this_thread::sleep_for(std::chrono::microseconds(round * 7919 % 3000));
    set_affinity(thread, wanted);
    const auto parks = [&] { return pool.metrics().total.parks; };
    const auto before = parks();
    EXPECT_EQ(thread_of(pool), thread);
    while (parks() == before) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(round % 8 * 500));
    EXPECT_EQ(affinity_of({.number = thread}), wanted) << "after a job and the sleep behind it";
  }
}

TEST(user_mask, the_last_one_that_a_user_set_stays) { expect_masks_to_stay({.workers = 1}); }

TEST(user_mask, the_last_one_stays_on_a_pinned_thread) {
  expect_masks_to_stay({.workers = 1, .pin = pinning::compact});
}

/// Blocks `levels` threads of the pool, each in a job of the one before, and returns the CPUs of
/// the last: a new one.
cpus cpus_of_new_thread(thread_pool& pool, int levels) {
  if (levels == 0) return current_affinity();
  cpus found;
  std::atomic<bool> is_over{false};
  pool.submit([&] {
    found = cpus_of_new_thread(pool, levels - 1);
    is_over = true;
  });
  filch::blocking([&] {
    while (!is_over) std::this_thread::yield();
  });
  return found;
}

/// Ends the process: 0 if a pinned pool starts its threads on CPUs on which its maker may run then.
[[noreturn]] void exit_as_new_threads_are_pinned() {
  const cpus all = current_affinity();
  for (const unsigned cpu : all) {
    filch::topo::set_current_affinity(all);
    thread_pool pool({.workers = 1, .pin = pinning::compact});
    thread_of(pool);
    filch::topo::set_current_affinity(cpus{cpu});
    if (cpus_of_new_thread(pool, 5) != cpus{cpu}) std::exit(1);
  }
  std::exit(0);
}

TEST(user_mask, a_pinned_pool_starts_no_thread_outside_of_it) {
  EXPECT_EXIT(exit_as_new_threads_are_pinned(), testing::ExitedWithCode(0), "");
}

}  // namespace
#endif
