// A job posted to a pool that is about to sleep, or sleeps, is run: sleep, post, wait, again and again, with a watchdog.
#include <filch/base/clock.hpp>
#include <filch/base/long_stress.hpp>
#include <filch/base/rng.hpp>
#include <filch/base/thread.hpp>
#include <filch/filch.hpp>
#include <filch/sched/core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>
#include <utility>

namespace {

using filch::thread_pool;
using filch::base::now_ns;

/// Posts jobs one at a time, each after a pause that ends anywhere between the last one's end and deep sleep.
class post_office {
 public:
  explicit post_office(unsigned workers) : pool_{{.workers = workers}} {}
  filch::sched::pool_core& core() { return pool_.core(); }

  /// Returns how many of `count` jobs ran before the first one that did not within `patience_ns`.
  std::uint64_t hand_off(std::uint64_t count, std::uint64_t patience_ns) {
    for (std::uint64_t i = 0; i < count; ++i) {
      pause();
      pool_.submit([this] { arrived_.fetch_add(1); });
      ++posted_;
      if (!comes_within(patience_ns)) return i;
    }
    return count;
  }
  /// Whether the last job runs within so much time of this thread's own: a process that was put aside meanwhile has not lost it.
  bool comes_within(std::uint64_t patience_ns) {
    constexpr std::uint64_t longest_turn_ns = 1'000'000;
    std::uint64_t looked_at = now_ns();
    for (std::uint64_t waited_ns = 0; arrived_.load() != posted_;) {
      if (waited_ns > patience_ns) return false;
      filch::base::yield_thread();
      const std::uint64_t before = std::exchange(looked_at, now_ns());
      waited_ns += std::min(looked_at - before, longest_turn_ns);
    }
    return true;
  }

 private:
  // A worker searches for 5 to 40 us after its last job, then announces that it sleeps, looks again, and parks.
  void pause() {
    const std::uint64_t draw = random_();
    if (draw % 4 == 0) return;
    for (const std::uint64_t end = now_ns() + draw % 64'000; now_ns() < end;) {
      if (draw % 3 == 0) filch::base::yield_thread();
    }
  }

  std::atomic<std::uint64_t> arrived_{0};
  std::uint64_t posted_ = 0;
  filch::base::split_mix64 random_{1};
  thread_pool pool_;  // last: its jobs use what stands above
};

constexpr std::uint64_t patience_ns = 20'000'000'000;

class hand_off_stress : public testing::TestWithParam<unsigned> {};

/// The fault that this test exists for: a search that is counted for ever, so that no producer wakes anybody.
void expect_a_lost_wake_is_noticed(unsigned workers) {
  post_office office{workers};
  ASSERT_EQ(office.hand_off(100, patience_ns), 100u);
  office.core().crew.idle().begin_search();
  EXPECT_LT(office.hand_off(10'000, 300'000'000), 10'000u) << "this stress test would not notice the fault that it exists for";
  static_cast<void>(office.core().crew.idle().end_search());
  office.core().crew.wake_one(nullptr);
  EXPECT_TRUE(office.comes_within(patience_ns));
}

TEST_P(hand_off_stress, a_job_posted_to_a_pool_that_falls_asleep_is_run) {
  const unsigned workers = GetParam();
  expect_a_lost_wake_is_noticed(workers);
  const std::uint64_t count = filch::base::long_count(20'000, 10'000'000);
  const std::string name = "sched.sleep_then_post_at_" + std::to_string(workers) + "_workers";
  post_office office{workers};
  std::uint64_t ran = 0;
  for (std::uint64_t due = 0; ran == due && due < count;) {  // in portions: a run that is broken off has said how far it came
    due = std::min(count, due + 500'000);
    ran += office.hand_off(due - ran, patience_ns);
    EXPECT_EQ(ran, due) << "job " << ran << " was not run within 20 s";
    filch::base::print_stress_evidence(name.c_str(), ran, workers, ran == due);
    std::fflush(stdout);
  }
}

INSTANTIATE_TEST_SUITE_P(by_workers, hand_off_stress, testing::Values(1, 2, 4, 16), testing::PrintToStringParamName());

}  // namespace
