#include <filch/filch.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <gtest/gtest.h>

#include <algorithm>
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

/// A thread that is inside stays there until the test lets it go.
class waiting_room {
 public:
  void stay() {
    std::unique_lock hold{lock_};
    most_ = std::max(most_, ++inside_);
    changed_.notify_all();
    changed_.wait(hold, [&] { return may_leave_ > 0; });
    --may_leave_, --inside_, ++left_;
    changed_.notify_all();
  }
  void await_inside(unsigned count) {
    std::unique_lock hold{lock_};
    changed_.wait(hold, [&] { return inside_ == count; });
  }
  void let_one_go() {
    std::unique_lock hold{lock_};
    const unsigned before = left_;
    ++may_leave_;
    changed_.notify_all();
    changed_.wait(hold, [&] { return left_ > before; });
  }
  unsigned most() {
    std::unique_lock hold{lock_};
    return most_;
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  unsigned inside_ = 0, left_ = 0, most_ = 0, may_leave_ = 0;
};

// Each job that leaves `blocking` lets the next one begin, whichever threads have the slots.
TEST(blocking, at_the_cap_goes_on_as_threads_come_back) {
  for (const unsigned workers : {1u, 2u}) {
    for (const unsigned spares : {0u, 1u}) {
      const unsigned threads = workers + spares, count = 4 * threads;
      waiting_room room;
      std::atomic<unsigned> ran{0};
      {
        thread_pool pool({.workers = workers, .max_spares = spares});
        for (unsigned i = 0; i < count; ++i) {
          pool.submit([&] {
            blocking([&] { room.stay(); });
            ++ran;
          });
        }
        for (unsigned left = count; left > 0; --left) {
          room.await_inside(std::min(left, threads));
          room.let_one_go();
        }
      }
      EXPECT_EQ(ran, count);
      EXPECT_EQ(room.most(), threads) << workers << " workers, " << spares << " spares";
    }
  }
}

TEST(blocking, at_the_cap_leaves_the_slot_to_the_first_thread_that_comes_back) {
  waiting_room room, also;
  std::atomic<bool> ran{false};
  thread_pool pool({.workers = 2, .max_spares = 0});
  pool.submit([&] { blocking([&] { room.stay(); }); });
  pool.submit([&] { blocking([&] { also.stay(); }); });
  room.await_inside(1);
  also.await_inside(1);
  pool.submit([&] { ran = true; });
  also.let_one_go();
  while (!ran) std::this_thread::yield();  // beside one that still waits
  room.let_one_go();
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
    filch::join(
        [&] {
          blocking([&] {
            while (!right_ran) std::this_thread::yield();
          });
        },
        [&] { right_ran = true; });
  });
  EXPECT_TRUE(right_ran);
}

TEST(blocking, leaves_nothing_that_only_its_thread_can_show) {
  thread_pool pool({.workers = 1});
  pool.run([] {
    const auto nothing_is_private = [here = &filch::sched::current_worker()] {
      return !here->has_private();
    };
    const auto block = [&] { blocking([&] { EXPECT_TRUE(nothing_is_private()); }); };
    filch::join([&] { filch::join([&] { filch::join(block, [] {}); }, [] {}); }, [] {});
  });
}

}  // namespace
