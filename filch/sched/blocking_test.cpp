#include <filch/filch.hpp>
#include <filch/sched/core.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

using filch::blocking;
using filch::thread_pool;

/// Jobs that each wait, inside `blocking`, until all have begun.
void meet(thread_pool& pool, int count) {
  std::mutex lock;
  std::condition_variable all_here;
  int here = 0;
  std::atomic<int> left{0};
  for (int i = 0; i < count; ++i) {
    pool.submit([&] {
      blocking([&] {
        std::unique_lock hold{lock};
        if (++here == count) all_here.notify_all();
        all_here.wait(hold, [&] { return here == count; });
      });
      ++left;
    });
  }
  while (left != count) std::this_thread::yield();
}

TEST(blocking, lets_four_times_as_many_jobs_wait_for_each_other_as_there_are_workers) {
  for (unsigned workers : {1u, 2u, 4u}) {
    thread_pool pool({.workers = workers});
    for (int round = 0; round < 10; ++round) meet(pool, static_cast<int>(4 * workers));
  }
}

TEST(blocking, is_a_plain_call_outside_every_pool) {
  EXPECT_EQ(blocking([] { return 3; }), 3);
  EXPECT_THROW(blocking([] { throw 1; }), int);
}

TEST(blocking, comes_back_to_its_own_thread_and_keeps_thread_local_state) {
  thread_pool pool({.workers = 2});
  pool.run([] {
    filch::parallel_for(0, 50, [](int) {
      const auto thread = std::this_thread::get_id();
      const unsigned index = filch::worker_index();
      blocking([] { std::this_thread::yield(); });
      EXPECT_EQ(std::this_thread::get_id(), thread);
      EXPECT_EQ(filch::worker_index(), index);
    });
  });
}

TEST(blocking, nests_and_allows_every_filch_call_inside) {
  thread_pool pool({.workers = 2});
  thread_pool other({.workers = 1});
  std::atomic<int> sum{0};
  pool.run([&] {
    blocking([&] {
      blocking([&] { ++sum; });
      filch::join([&] { ++sum; }, [&] { ++sum; });
      other.run([&] { ++sum; });
      pool.run([&] { filch::parallel_for(0, 100, [&](int) { ++sum; }); });
      pool.submit([&] { ++sum; });
      filch::task_group group;
      group.run([&] { ++sum; });
      group.wait();
    });
  });
  while (sum != 106) std::this_thread::yield();
}

TEST(blocking, hands_private_forks_to_others_meanwhile) {
  thread_pool pool({.workers = 2});
  std::atomic<bool> right_ran{false};
  pool.run([&] {
    filch::join([&] { blocking([&] { while (!right_ran) std::this_thread::yield(); }); }, [&] { right_ran = true; });
  });
  EXPECT_TRUE(right_ran);
}

TEST(blocking, leaves_nothing_that_only_its_thread_can_show) {
  thread_pool pool({.workers = 1});
  pool.run([] {
    const auto nothing_is_private = [here = &filch::sched::current_worker()] { return !here->has_private(); };
    const auto block = [&] { blocking([&] { EXPECT_TRUE(nothing_is_private()); }); };
    filch::join([&] { filch::join([&] { filch::join(block, [] {}); }, [] {}); }, [] {});
  });
}

}  // namespace
