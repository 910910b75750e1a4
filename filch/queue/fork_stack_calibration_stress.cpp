// A stress test is worth what it has been seen to catch: here exposing by force lacks its fence, and must be caught at it.
#include <filch/queue/fork_stack_stress.hpp>

#include <gtest/gtest.h>

namespace {

using filch::base::now_ns;
using filch::queue::fork_rush;
using filch::queue::stress_pops;

struct fenceless_sync : filch::base::real_sync {
  template <auto Edge> static void heavy_fence() noexcept {}
};

#if defined(__x86_64__)  // elsewhere the fault is there, but no particular shape is sure to show it
class fork_stack_calibration : public testing::TestWithParam<std::size_t> {};

TEST_P(fork_stack_calibration, exposing_without_a_heavy_fence_is_noticed) {
  if (std::thread::hardware_concurrency() < 2) return;  // one core sees its own stores in order
  fork_rush<fenceless_sync> threads{1, GetParam(), stress_pops::private_first};
  EXPECT_GT(threads.run_until(now_ns() + 60'000'000'000), 0u)
      << "this stress test would not notice the fault that it exists for";
}

// Not in bursts of 1: the fault is there too, but takes seconds to show.
INSTANTIATE_TEST_SUITE_P(in_bursts_of, fork_stack_calibration, testing::Values(2, 3, 7, 64), testing::PrintToStringParamName());
#endif

}  // namespace
