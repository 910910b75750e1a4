// Work is found, however the workers fall asleep.
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using filch::thread_pool;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

void busy(steady_clock::duration length) {
  for (const auto end = steady_clock::now() + length; steady_clock::now() < end;) {
  }
}

// golang#45867: a runnable job and an idle worker must meet. The two halves wait for each other.
TEST(waking, two_halves_that_must_overlap_always_do) {
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 2000; ++round) {
    if (round % 200 == 0) std::this_thread::sleep_for(5ms);
    std::atomic<int> here{0};
    pool.run([&] {
      filch::parallel_for(0, 2, [&](int) {
        ++here;
        while (here != 2) std::this_thread::yield();
      });
    });
  }
}

TEST(waking, a_fork_made_before_anybody_was_idle_is_found_inside_a_long_leaf) {
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> right_ran{false};
    pool.run([&] {
      filch::join(
          [&] {
            filch::join([&] { while (!right_ran) std::this_thread::yield(); }, [&] { right_ran = true; });
          },
          [] { busy(1ms); });  // keeps the other worker busy until after the inner fork
    });
  }
}

TEST(waking, every_submitted_job_runs_however_the_workers_fall_asleep) {
  for (unsigned workers : {1u, 2u, 4u, 16u}) {
    thread_pool pool({.workers = workers});
    std::atomic<int> ran{0};
    for (int i = 1; i <= 3000; ++i) {
      pool.submit([&] { ++ran; });
      if (i % 3 == 0) {
        while (ran != i) std::this_thread::yield();
      }
      if (i % 500 == 0) std::this_thread::sleep_for(1ms);
    }
    while (ran != 3000) std::this_thread::yield();
  }
}

}  // namespace
