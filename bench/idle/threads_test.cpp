#include <bench/idle/threads.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

using namespace bench::idle;

TEST(thread_usage, a_busy_thread_is_charged_and_a_sleeping_one_is_not) {
  std::atomic<long> busy_id{0}, sleeping_id{0};
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    busy_id = syscall(SYS_gettid);
    while (!stop) {
    }
  });
  std::thread sleeping([&] {
    sleeping_id = syscall(SYS_gettid);
    stop.wait(false);
  });
  while (busy_id == 0 || sleeping_id == 0) std::this_thread::yield();
  usage_by_thread used;
  const usage_by_thread before = other_threads();
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    used = difference(before, other_threads());
  } while (used.at(busy_id).cpu_seconds < 0.02);
  EXPECT_LT(used.at(sleeping_id).cpu_seconds, 0.005);
  stop = true;
  stop.notify_all();
  busy.join();
  sleeping.join();
}

TEST(thread_usage, a_thread_that_sleeps_ten_times_has_switched_ten_times) {
  std::atomic<long> id{0};
  std::atomic<bool> slept{false}, stop{false};
  std::thread sleeper([&] {
    id = syscall(SYS_gettid);
    for (int i = 0; i < 10; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    slept = true;
    stop.wait(false);
  });
  while (!slept) std::this_thread::yield();
  EXPECT_GE(other_threads().at(id).switches, 10u);
  stop = true;
  stop.notify_all();
  sleeper.join();
}

TEST(thread_usage, the_calling_thread_is_left_out) {
  EXPECT_FALSE(other_threads().contains(syscall(SYS_gettid)));
}

TEST(thread_usage, a_thread_that_began_between_two_readings_counts_from_its_beginning) {
  const usage_by_thread used = difference({{1, {1.0, 10}}}, {{1, {1.5, 12}}, {2, {0.25, 3}}});
  EXPECT_DOUBLE_EQ(total(used).cpu_seconds, 0.75);
  EXPECT_EQ(total(used).switches, 5u);
}

}  // namespace
