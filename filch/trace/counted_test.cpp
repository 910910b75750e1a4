// Readers see in counter snapshots what the workers have counted.
#include <filch/trace/counted.hpp>

#include <filch/fork.hpp>
#include <filch/metrics.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/trace.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace {

using filch::event::kind;
using filch::trace::counted_process;
using filch::trace::counted_worker;

counted_process read_own() {
  return filch::trace::read_counted(
      filch::trace::segment_view{filch::trace::segment_path(::getpid())});
}

/// The workers of `pool` among those in the segment, by index.
std::vector<counted_worker> workers_of(const filch::thread_pool& pool) {
  std::vector<counted_worker> found = read_own().workers;
  std::erase_if(found,
                [&](const counted_worker& each) { return each.who.pool != pool.core().number; });
  return found;
}

/// Whether readers see each word as the workers have it; true at the latest when all of them have
/// parked for good.
bool tells_all(const filch::thread_pool& pool) {
  const std::vector<counted_worker> told = workers_of(pool);
  return told.size() == pool.core().threads().worker_count() &&
         std::ranges::all_of(told, [&](const counted_worker& each) {
           return each.counters.words ==
                  pool.core().threads().at(each.who.index).reports.counters.read().words;
         });
}

template <class Condition>
bool comes_true(Condition is_true) {
  for (int tries = 0; tries < 10'000; ++tries) {
    if (is_true()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

std::vector<filch::event::counted> counts_of(const filch::thread_pool& pool) {
  std::vector<filch::event::counted> now;
  for (unsigned i = 0; i < pool.core().threads().worker_count(); ++i)
    now.push_back(pool.core().threads().at(i).reports.counters.read());
  return now;
}

/// Whether no worker has counted anything for a while. A count just at the begin of a session may
/// appear late.
bool is_asleep(const filch::thread_pool& pool) {
  const auto before = counts_of(pool);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return std::ranges::equal(before, counts_of(pool), {}, &filch::event::counted::words,
                            &filch::event::counted::words);
}

void work_in(filch::thread_pool& pool) {
  std::atomic<int> ran{0};
  for (int i = 0; i < 50; ++i) pool.submit([&] { ++ran; });
  pool.run([&] {
    filch::task_group group;
    for (int i = 0; i < 50; ++i)
      group.run(
          [] { filch::join([] { filch::blocking([] {}); }, [] { std::this_thread::yield(); }); });
    group.wait();
  });
  while (ran != 50) std::this_thread::yield();
}

TEST(counted, readers_see_every_word_that_workers_count) {
  filch::thread_pool pool({.workers = 3});
  const filch::trace_session session;
  work_in(pool);
  EXPECT_TRUE(comes_true([&] { return tells_all(pool); }));
  EXPECT_GT(workers_of(pool).size(), 1u);
}

TEST(counted, what_was_counted_before_a_session_is_told_at_its_begin) {
  filch::thread_pool pool({.workers = 3});
  { const filch::trace_session earlier; }
  work_in(pool);
  ASSERT_TRUE(comes_true([&] { return is_asleep(pool); }));
  const filch::trace_session session;
  EXPECT_TRUE(comes_true([&] { return tells_all(pool); }));
  std::uint64_t injected = 0;
  for (const counted_worker& each : workers_of(pool))
    injected += each.counters.count(kind::job_injected);
  EXPECT_EQ(injected, 50u);
}

TEST(counted, a_worker_that_gets_the_ring_of_another_begins_with_its_own_counts) {
  const filch::trace_session session;
  for (int i = 0; i < 70; ++i) {  // more than the rings that are kept
    filch::thread_pool pool({.workers = 1});
    pool.run([] {});
    for (const counted_worker& each : workers_of(pool))
      EXPECT_LE(each.counters.count(kind::visit), 1u);
  }
}

TEST(counted, jobs_in_a_ready_queue_are_seen) {
  filch::thread_pool pool({.workers = 1});
  const filch::trace_session session;
  std::atomic<int> left{3};
  pool.run([&] {
    for (int i = 0; i < 3; ++i) pool.submit([&] { --left; });
    // The only slot is ours, so no other thread can have taken one.
    const std::vector<counted_worker> told = workers_of(pool);
    EXPECT_TRUE(
        std::ranges::any_of(told, [](const counted_worker& each) { return each.ready_jobs == 3; }));
  });
  while (left != 0) std::this_thread::yield();
}

TEST(counted, the_end_of_a_session_is_seen) {
  filch::thread_pool pool({.workers = 1});
  {
    const filch::trace_session session;
    pool.run([] {});
    EXPECT_TRUE(read_own().is_recording);
  }
  const counted_process after = read_own();
  EXPECT_TRUE(after.is_alive);
  EXPECT_FALSE(after.is_recording);
  EXPECT_EQ(after.now_ticks, read_own().now_ticks) << "time does not go on";
}

}  // namespace
