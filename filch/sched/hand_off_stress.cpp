// A job posted to a pool that is about to sleep, or sleeps, is run: sleep, post, wait, again and again, with a watchdog.
#include <filch/base/clock.hpp>
#include <filch/base/long_stress.hpp>
#include <filch/base/rng.hpp>
#include <filch/base/thread.hpp>
#include <filch/filch.hpp>
#include <filch/sched/core.hpp>

#include <gtest/gtest.h>

#include <atomic>

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
  bool comes_within(std::uint64_t patience_ns) {
    const std::uint64_t give_up = now_ns() + patience_ns;
    while (arrived_.load() != posted_) {
      if (now_ns() > give_up) return false;
      filch::base::yield_thread();
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
  post_office office{workers};
  const std::uint64_t ran = office.hand_off(count, patience_ns);
  EXPECT_EQ(ran, count) << "job " << ran << " was not run within 20 s";
  filch::base::print_stress_evidence("sched.sleep_then_post", ran, workers, ran == count);
}

INSTANTIATE_TEST_SUITE_P(by_workers, hand_off_stress, testing::Values(1, 2, 4, 16), testing::PrintToStringParamName());

}  // namespace
