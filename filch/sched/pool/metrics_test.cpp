// What is counted where. `event_test.cpp` tests that each moment counts for one activity.
#include <filch/sched/pool/metrics.hpp>

#include <filch/base/sanitized_test.hpp>
#include <filch/fork.hpp>
#include <filch/sched/pool/read_metrics.hpp>

#include <gtest/gtest.h>

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace {

using filch::thread_pool;
using filch::worker_metrics;

/// Returns once `is_true` of what the pool has counted.
template <class Condition>
void await(const thread_pool& pool, Condition is_true) {
  while (!is_true(pool.metrics().total)) std::this_thread::yield();
}

TEST(metrics, each_won_probe_took_one_job_from_one_of_three_places) {
  thread_pool pool({.workers = 4});
  const auto stolen = [](const worker_metrics& all) {
    return all.forks_stolen > 0 && all.ready_stolen > 0;
  };
  while (!stolen(pool.metrics().total)) {
    pool.run([] {
      filch::task_group group;
      for (int i = 0; i < 100; ++i)
        group.run([] {
          filch::join([] { std::this_thread::yield(); }, [] { std::this_thread::yield(); });
        });
      group.wait();
    });
  }
  // Not at once: a thief may be between two counts.
  await(pool, [](const worker_metrics& all) {
    return all.steals_won == all.forks_stolen + all.ready_stolen + all.stolen_back &&
           all.steals_tried >= all.forks_stolen + all.ready_stolen &&
           all.forks_exposed >= all.forks_forced;
  });
}

TEST(metrics, jobs_are_counted_by_the_way_they_came) {
  thread_pool pool({.workers = 2});
  std::atomic<int> ran{0};
  for (int i = 0; i < 30; ++i) pool.submit([&] { ++ran; });
  while (ran != 30) std::this_thread::yield();
  const worker_metrics injected = pool.metrics().total;
  EXPECT_EQ(injected.jobs_injected, 30u);
  EXPECT_EQ(injected.jobs_queued, 0u);
  pool.run([&] {
    for (int i = 0; i < 20; ++i) filch::this_pool()->submit([&] { ++ran; });
  });
  while (ran != 50) std::this_thread::yield();
  const worker_metrics queued = pool.metrics().total;
  EXPECT_EQ(queued.jobs_queued, 20u);
  EXPECT_EQ(queued.visits, injected.visits + 1);
  EXPECT_EQ(queued.jobs_injected, 30u);
}

TEST(metrics, jobs_that_a_stopped_pool_discards_are_counted) {
  thread_pool pool({.workers = 1});
  std::atomic<bool> has_begun{false}, may_end{false};
  pool.submit([&] {
    has_begun = true;
    while (!may_end) std::this_thread::yield();
  });
  while (!has_begun) std::this_thread::yield();
  for (int i = 0; i < 3; ++i) pool.submit([] { FAIL() << "it was asked to stop"; });
  pool.request_stop();
  may_end = true;
  await(pool, [](const worker_metrics& all) { return all.jobs_discarded == 3; });
}

TEST(metrics, exceptions_that_escape_are_counted) {
  static std::atomic<int> caught{0};
  thread_pool pool(
      {.workers = 1, .on_escaped_exception = [](std::exception_ptr) noexcept { ++caught; }});
  for (int i = 0; i < 4; ++i) pool.submit([] { throw std::runtime_error("lost"); });
  while (caught != 4) std::this_thread::yield();
  EXPECT_EQ(pool.metrics().total.exceptions_escaped, 4u);
}

TEST(metrics, blocking_is_told_apart_from_waiting_joins) {
  thread_pool pool({.workers = 1});
  pool.run([] {
    for (int i = 0; i < 5; ++i) filch::blocking([] {});
  });
  const worker_metrics all = pool.metrics().total;
  EXPECT_EQ(all.blocking_entered, 5u);
  EXPECT_EQ(all.slots_handed_over, 5u);
  EXPECT_EQ(all.intervals_blocked.count(), 5u);
}

/// Forks `depth` deep, each with another fork inside its left side.
void nest(unsigned depth) {
  if (depth != 0) {
    filch::join([=] { nest(depth - 1); }, [] {});
  }
}

TEST(metrics, forks_beyond_the_room_of_the_stack_are_counted) {
  if (filch::base::under_thread_sanitizer) GTEST_SKIP() << "its own stack has room for fewer calls";
  constexpr unsigned room = 1u << 18;
  thread_pool pool({.workers = 1});
  const auto run = [](void* pool_ptr) -> void* {
    static_cast<thread_pool*>(pool_ptr)->run([] { nest(room + 100); });
    return nullptr;
  };
  pthread_attr_t big;
  pthread_attr_init(&big);
  ASSERT_EQ(pthread_attr_setstacksize(&big, std::size_t{1} << 30), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &big, run, &pool), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&big);
  EXPECT_EQ(pool.metrics().total.forks_inlined, 100u);
}

TEST(metrics, a_woken_worker_says_how_long_it_took_and_how_long_it_slept) {
  thread_pool pool({.workers = 1});
  pool.warm_up();
  while (pool.metrics().total.wake_latency.count() == 0) {
    std::atomic<bool> has_run{false};
    pool.submit([&] { has_run = true; });
    while (!has_run) std::this_thread::yield();
  }
  // An activity is counted when it ends, which is after the job was seen to run.
  await(pool, [](const worker_metrics& all) {
    return all.wake_latency.sum_seconds > 0 && all.intervals_parked.count() > 0 &&
           all.intervals_working.count() > 0;
  });
}

// A scraper takes a counter that goes back for that of a new process.
TEST(metrics, seconds_that_are_over_stay_as_they_are) {
  thread_pool pool{{.workers = 1}};
  pool.run([] { return 0; });
  // From then on a tick keeps its length, and the worker is parked
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  double before = pool.metrics().total.seconds_working;
  for (int i = 0; i < 1'000; ++i) {
    std::this_thread::yield();
    const double now = pool.metrics().total.seconds_working;
    EXPECT_GE(now, before);
    before = now;
  }
}

TEST(metrics, what_was_told_of_a_worker_is_not_taken_back) {
  filch::metrics_snapshot before, now;
  before.workers.resize(2);
  before.workers[0].seconds_working = 5;
  before.workers[1].seconds_parked = 1;
  now.workers.resize(3);
  now.workers[0].seconds_working = 4;
  now.workers[0].jobs_run = 7;
  now.workers[1].seconds_parked = 2;
  now.workers[2].seconds_working = 3;
  filch::sched::keep_growing(now, before);
  EXPECT_EQ(now.workers[0].seconds_working, 5);
  EXPECT_EQ(now.workers[1].seconds_parked, 2);
  EXPECT_EQ(now.total.seconds_working, 8);
  EXPECT_EQ(now.total.seconds_parked, 2);
  EXPECT_EQ(now.total.jobs_run, 7u);
}

// Beside a worker that changes what it does as often as it can.
TEST(metrics, no_second_is_taken_back) {
  thread_pool pool{{.workers = 2}};
  std::atomic<bool> is_over{false};
  std::thread caller{[&] {
    while (!is_over) pool.run([] { return 0; });
  }};
  filch::metrics_snapshot before = pool.metrics();
  for (int i = 0; i < 3'000; ++i) {
    const filch::metrics_snapshot now = pool.metrics();
    for (std::size_t each = 0; each < before.workers.size(); ++each) {
      for (const filch::sched::time_field& field : filch::sched::time_fields)
        ASSERT_GE(now.workers[each].*field.seconds, before.workers[each].*field.seconds)
            << field.name;
    }
    before = now;
  }
  is_over = true;
  caller.join();
}

TEST(metrics, the_timed_sleeper_parks_with_a_timeout_first) {
  thread_pool pool({.workers = 2});
  pool.warm_up();
  await(pool, [](const worker_metrics& all) { return all.naps >= 2; });
}

}  // namespace
