#include <filch/queue/injector.hpp>

#include <gtest/gtest.h>

#include <array>

namespace {

using filch::queue::injected;
using filch::queue::injector;

TEST(injector, first_in_is_first_out) {
  injector<> queue;
  std::array<injected, 3> jobs;
  for (injected& each : jobs) queue.push(each);
  EXPECT_EQ(queue.size_hint(), 3u);
  for (injected& each : jobs) EXPECT_EQ(queue.pop(), &each);
  EXPECT_EQ(queue.pop(), nullptr);
}

TEST(injector, emptiness_comes_and_goes) {
  injector<> queue;
  injected job;
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(queue.looks_empty());
    EXPECT_EQ(queue.pop(), nullptr);
    queue.push(job);
    EXPECT_FALSE(queue.looks_empty());
    EXPECT_EQ(queue.pop(), &job);
  }
  EXPECT_EQ(queue.size_hint(), 0u);
}

TEST(injector, a_popped_job_can_be_pushed_behind_the_others) {
  injector<> queue;
  std::array<injected, 2> jobs;
  for (injected& each : jobs) queue.push(each);
  queue.push(*queue.pop());
  EXPECT_EQ(queue.pop(), &jobs[1]);
  EXPECT_EQ(queue.pop(), &jobs[0]);
}

TEST(injector_death, dying_with_work_inside_is_a_broken_promise) {
  injected job;
  EXPECT_DEATH({ injector<>{}.push(job); }, "an injector dies with work in it");
}

}  // namespace
