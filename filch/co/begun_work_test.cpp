// What has begun, coroutines too, runs on without a slot: programs that would end if each job had a
// thread.
#include <filch/co.hpp>
#include <filch/filch.hpp>
#include <filch/sync.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

namespace filch::inline v0_2::co {
namespace {

using namespace std::chrono_literals;

constexpr int links = 1000;  // more than a thread does in one time slice

task<int> give(int number) { co_return number; }
task<long> add_up(int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await give(i);
  co_return sum;
}

class begun_work : public testing::TestWithParam<unsigned> {
 protected:
  thread_pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(workers, begun_work, testing::Values(1u, 2u, 4u));

// The thread `fills` holds the lock that the holders of all slots wait for.
TEST_P(begun_work, of_a_thread_from_outside_may_be_a_chain_of_calls_under_a_lock) {
  const unsigned workers = GetParam();
  std::mutex lock;
  std::latch is_held{1}, all_inside{workers};
  long sum = 0;
  std::thread fills([&] {
    const std::lock_guard guard{lock};
    is_held.count_down();
    all_inside.wait();
    sum = block_on(pool, add_up(links));
  });
  is_held.wait();
  std::vector<std::thread> others;
  for (unsigned i = 0; i < workers; ++i) {
    others.emplace_back([&] {
      pool.run([&] {
        all_inside.count_down();
        const std::lock_guard guard{lock};
      });
    });
  }
  for (std::thread& each : others) each.join();
  fills.join();
  EXPECT_EQ(sum, long{links} * (links - 1) / 2);
}

TEST_P(begun_work, of_a_job_may_be_a_chain_of_calls_under_a_lock_that_submitted_jobs_want) {
  std::mutex lock;
  std::latch done{GetParam()};
  pool.run([&] {
    const std::lock_guard guard{lock};
    for (unsigned i = 0; i < GetParam(); ++i) {
      pool.submit([&] {
        { const std::lock_guard theirs{lock}; }
        done.count_down();
      });
    }
    EXPECT_EQ(block_on(pool, add_up(links)), long{links} * (links - 1) / 2);
  });
  done.wait();
}

task<> block_and_add_up(std::latch& blocks, std::atomic<unsigned>& waiting, unsigned all,
                        std::atomic<bool>& ended) {
  filch::blocking([&] {
    blocks.count_down();
    while (waiting != all) std::this_thread::yield();
  });
  const long sum = co_await add_up(links);
  EXPECT_EQ(sum, long{links} * (links - 1) / 2);
  ended = true;
}

// Jobs that wait for the task hold all slots.
TEST_P(begun_work, of_a_task_that_comes_back_from_blocking_goes_on) {
  const unsigned workers = GetParam();
  std::latch blocks{1};
  std::atomic<unsigned> waiting{0}, gone{0};
  std::atomic<bool> ended{false};
  join_handle<> task_itself = spawn(pool, block_and_add_up(blocks, waiting, workers, ended));
  blocks.wait();
  for (unsigned i = 0; i < workers; ++i) {
    pool.submit([&] {
      ++waiting;
      while (!ended) std::this_thread::yield();
      ++gone;
    });
  }
  block_on(std::move(task_itself));
  while (gone != workers) std::this_thread::yield();
}

task<> yield_until(std::atomic<bool>& flag, std::atomic<int>& begun) {
  for (++begun; !flag;) co_await co::yield();
}
task<> set_when(async_event& comes, std::atomic<bool>& flag, std::atomic<int>& begun) {
  ++begun;
  co_await comes.wait();
  flag = true;
}

// The resumed task lies in the ready queue of a slot whose holder waits for it, while the other
// worker never runs out of work.
TEST(fair_work, is_what_lies_in_the_queue_of_a_worker_that_waits) {
  for (const bool from_outside : {false, true}) {
    thread_pool pool{{.workers = 2}};
    std::atomic<bool> flag{false};
    std::atomic<int> begun{0};
    async_event comes;
    join_handle<> sets = spawn(pool, set_when(comes, flag, begun));
    while (begun != 1) std::this_thread::yield();
    join_handle<> yields = spawn(pool, yield_until(flag, begun));
    while (begun != 2) std::this_thread::yield();
    std::latch ended{1};
    const auto wait = [&] {
      comes.set();
      while (!flag) std::this_thread::yield();
      ended.count_down();
    };
    from_outside ? pool.run(wait) : pool.submit(wait);
    ended.wait();
    block_on(std::move(yields));
    block_on(std::move(sets));
  }
}

task<> yield_then_set(std::atomic<bool>& goes, std::atomic<bool>& flag, std::atomic<int>& begun) {
  for (++begun; !goes;) co_await co::yield();
  for (int i = 0; i < 10'000; ++i) co_await co::yield();
  flag = true;
}

// A slot with a task in its queue is reserved for an external thread.
TEST(fair_work, is_what_lies_in_the_queue_of_a_slot_that_is_withheld) {
  for (int round = 0; round < 10; ++round) {
    thread_pool pool{{.workers = 2}};
    std::atomic<bool> flag{false}, goes{false};
    std::atomic<int> begun{0};
    join_handle<> waits = spawn(pool, yield_until(flag, begun));
    join_handle<> sets = spawn(pool, yield_then_set(goes, flag, begun));
    while (begun != 2) std::this_thread::yield();
    pool.run([&] {
      goes = true;
      while (!flag) std::this_thread::yield();
    });
    block_on(std::move(waits));
    block_on(std::move(sets));
  }
}

// The left side waits for the right one, which lies on a fork stack, while the other worker never
// runs out of work.
TEST(fair_work, is_what_was_forked_by_a_worker_that_waits) {
  thread_pool pool{{.workers = 2}};
  std::atomic<bool> flag{false};
  std::atomic<int> begun{0};
  join_handle<> yields = spawn(pool, yield_until(flag, begun));
  while (begun != 1) std::this_thread::yield();
  pool.run([&] {
    filch::join([] {}, [] {});  // answers standing requests: the next fork is private
    filch::join(
        [&] {
          while (!flag) std::this_thread::yield();
        },
        [&] { flag = true; });
  });
  block_on(std::move(yields));
}

}  // namespace
}  // namespace filch::co
