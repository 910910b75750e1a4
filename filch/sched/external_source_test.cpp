// Work that comes from outside reaches a worker, whatever the workers are doing, and nobody stays awake for it.
#include <filch/sched/mailbox_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>

namespace {

using namespace std::chrono_literals;

void await(const std::atomic<int>& count, int wanted) {
  while (count.load() < wanted) std::this_thread::yield();
}

class external_source_on : public testing::TestWithParam<unsigned>, protected filch::sched::pool_with_a_mailbox {
 protected:
  external_source_on() : pool_with_a_mailbox{GetParam()} {}
};
INSTANTIATE_TEST_SUITE_P(workers, external_source_on, testing::Values(1u, 2u, 4u));

/// Where one worker can be busy and another come.
using external_source_in_company = external_source_on;
INSTANTIATE_TEST_SUITE_P(workers, external_source_in_company, testing::Values(2u, 4u));

TEST_P(external_source_on, an_arrival_wakes_who_sleeps_in_the_source) {
  std::atomic<int> handled{0};
  for (int i = 1; i <= 200; ++i) {
    if (i % 20 == 0) std::this_thread::sleep_for(5ms);
    box.put([&] { ++handled; });
    await(handled, i);
  }
}

TEST_P(external_source_on, submitted_work_is_found_although_somebody_sleeps_in_the_source) {
  std::atomic<int> ran{0};
  for (int i = 1; i <= 200; ++i) {
    if (i % 20 == 0) std::this_thread::sleep_for(5ms);
    pool().submit([&] { ++ran; });
    await(ran, i);
  }
}

TEST_P(external_source_on, busy_workers_look_between_jobs) {
  std::atomic<int> handled{0}, ended{0};
  std::atomic<bool> stop{false};
  std::function<void()> again = [&] {
    if (stop) {
      ++ended;
    } else {
      pool().submit(again);
    }
  };
  for (unsigned i = 0; i < GetParam(); ++i) pool().submit(again);
  box.put([&] { ++handled; });
  await(handled, 1);
  stop = true;
  await(ended, static_cast<int>(GetParam()));
}

TEST_P(external_source_in_company, an_arrival_during_the_job_of_the_last_one_finds_another_worker) {
  std::atomic<int> handled{0};
  box.put([&] {
    box.put([&] { ++handled; });
    await(handled, 1);  // holds this worker until another one has taken the second letter
    ++handled;
  });
  await(handled, 2);
}

TEST_P(external_source_in_company, an_arrival_is_handled_although_all_workers_are_in_long_jobs) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> inside{0}, handled{0}, ended{0};
    for (unsigned i = 0; i < GetParam(); ++i) {
      pool().submit([&] {
        ++inside;
        await(handled, 3);
        ++ended;
      });
    }
    await(inside, static_cast<int>(GetParam()));
    for (int i = 1; i <= 3; ++i) {
      box.put([&] { ++handled; });
      await(handled, i);
    }
    await(ended, static_cast<int>(GetParam()));
  }
}

TEST_P(external_source_on, a_quiet_source_is_slept_in) {
  std::this_thread::sleep_for(50ms);  // past the naps
  const int before = box.waits;
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(box.sitting, 1);
  EXPECT_LE(box.waits - before, 2);
}

TEST(external_source, is_left_alone_once_its_pool_has_ended) {
  auto pool = std::make_unique<filch::thread_pool>(filch::pool_options{.workers = 2});
  filch::sched::mailbox box{*pool};
  pool->core().attach(box);
  std::atomic<int> handled{0};
  box.put([&] { ++handled; });
  await(handled, 1);
  EXPECT_FALSE(box.is_left_alone);
  pool.reset();
  EXPECT_TRUE(box.is_left_alone);
}

TEST_P(external_source_in_company, forks_wake_who_sleeps_there_if_nobody_else_can_come) {
  std::this_thread::sleep_for(50ms);
  pool().run([&] {
    std::atomic<int> here{0};
    filch::parallel_for(0, 2, [&](int) {
      ++here;
      await(here, 2);
    });
  });
}

}  // namespace
