// A job posted to a pool that is about to sleep, or sleeps, is run: sleep, post, wait, again and
// again, with a watchdog.
#include <filch/base/long_stress.hpp>
#include <filch/sched/pool/post_office_stress.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace {

using filch::sched::post_office, filch::sched::patience_ns;

class hand_off_stress : public testing::TestWithParam<unsigned> {};

TEST_P(hand_off_stress, a_job_posted_to_a_pool_that_falls_asleep_is_run) {
  const unsigned workers = GetParam();
  const std::uint64_t count = filch::base::long_count(20'000, 10'000'000);
  const std::string name = "sched.sleep_then_post_at_" + std::to_string(workers) + "_workers";
  ASSERT_TRUE(filch::sched::notices_a_lost_job(name, workers))
      << "void: a job that never runs goes unseen";
  post_office office{workers};
  std::uint64_t ran = 0;
  // In portions: a run that is broken off has said how far it came
  for (std::uint64_t due = 0; ran == due && due < count;) {
    due = std::min(count, due + 500'000);
    ran += office.hand_off(due - ran, patience_ns);
    EXPECT_EQ(ran, due) << "job " << ran << " was not run within 20 s";
    filch::base::print_stress_evidence(name.c_str(), ran, workers, ran == due);
    std::fflush(stdout);
  }
}

// Apart, as workers that spin for ever lose no wake. (variants of spinning)
class hand_off_stress_calibration : public testing::TestWithParam<unsigned> {};

TEST_P(hand_off_stress_calibration, a_lost_wake_is_noticed) {
  filch::sched::expect_a_lost_wake_is_noticed(
      "sched.sleep_then_post_at_" + std::to_string(GetParam()) + "_workers", GetParam());
}

INSTANTIATE_TEST_SUITE_P(by_workers, hand_off_stress, testing::Values(1, 2, 4, 16),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(by_workers, hand_off_stress_calibration, testing::Values(1, 2, 4, 16),
                         testing::PrintToStringParamName());

}  // namespace
