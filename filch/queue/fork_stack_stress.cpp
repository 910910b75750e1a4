// Every job on a fork stack under real threads runs once, and its join sees it. A run counts if it would have noticed an expose lock that
// excludes nobody; what else it can see is measured in fork_stack_calibration_stress.cpp.
#include <filch/base/long_stress.hpp>
#include <filch/queue/broken_sync_stress.hpp>
#include <filch/queue/fork_stack_stress.hpp>
#include <filch/queue/yielding_sync_stress.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using filch::base::now_ns;
using filch::queue::fork_rush;
using filch::queue::stress_pops;

class fork_stack_stress : public testing::TestWithParam<std::size_t> {
 public:
  // Pops settle, whatever those of the run do: private ones meet the lock too seldom in bursts of 3. Bursts of 1 never show it: there is
  // nothing to expose but what its owner is about to pop.
  static bool notices_an_open_lock() {
    using broken = fork_rush<filch::queue::lockless_sync>;
    return GetParam() == 1 || filch::queue::is_caught(broken{1, GetParam(), stress_pops::always_settling});
  }
  static void rush(stress_pops how) {
    ASSERT_TRUE(notices_an_open_lock()) << "void: an expose lock that excludes nobody goes unseen";
    for (const unsigned thief_count : {1u, 2u, 5u, 15u}) {
      fork_rush<filch::base::real_sync> threads{thief_count, GetParam(), how};
      std::size_t faults = 0;
      do faults = threads.run_until(now_ns() + 170'000'000);
      while (faults == 0 && threads.operations() < filch::base::long_count(0, 10'000'000));
      EXPECT_EQ(faults, 0u) << thief_count << " thieves";
      const std::string name = std::string("queue.fork_stack_") + (how == stress_pops::always_settling ? "that_settles_" : "") +
                               "in_bursts_of_" + std::to_string(GetParam()) + "_with_" + std::to_string(thief_count) +
                               "_thieves";
      filch::base::print_stress_evidence(name.c_str(), threads.operations(), 1 + thief_count, faults == 0);
    }
  }
};

TEST_P(fork_stack_stress, every_job_runs_exactly_once) {
  rush(filch::base::has_asymmetric_fence() ? stress_pops::private_first : stress_pops::always_settling);
}

TEST_P(fork_stack_stress, every_job_of_an_owner_that_always_settles_runs_exactly_once) { rush(stress_pops::always_settling); }

TEST_P(fork_stack_stress, every_job_runs_exactly_once_though_threads_yield_anywhere) {
  const auto how = filch::base::has_asymmetric_fence() ? stress_pops::private_first : stress_pops::always_settling;
  fork_rush<filch::queue::yielding_sync> threads{3, GetParam(), how};
  const std::size_t faults = threads.run_until(now_ns() + filch::base::long_count(300'000'000, 60'000'000'000));
  EXPECT_EQ(faults, 0u);
  const std::string name = "queue.fork_stack_with_yields_in_bursts_of_" + std::to_string(GetParam());
  filch::base::print_stress_evidence(name.c_str(), threads.operations(), 4, faults == 0);
}

INSTANTIATE_TEST_SUITE_P(in_bursts_of, fork_stack_stress, testing::Values(1, 2, 3, 7, 64), testing::PrintToStringParamName());

}  // namespace
