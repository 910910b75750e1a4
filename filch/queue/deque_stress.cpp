// Every item of a deque under real threads is delivered exactly once. What this can see is measured in deque_calibration_stress.cpp.
#include <filch/queue/deque_stress.hpp>

#include <gtest/gtest.h>

namespace {

using filch::base::now_ns;
using filch::queue::deque_rush;

class deque_stress : public testing::TestWithParam<std::size_t> {};

TEST_P(deque_stress, every_item_is_delivered_exactly_once) {
  for (const unsigned thief_count : {1u, 2u, 5u}) {
    deque_rush<filch::base::real_sync> threads{thief_count, GetParam()};
    EXPECT_EQ(threads.run_until(now_ns() + 300'000'000), 0u) << thief_count << " thieves";
  }
}

INSTANTIATE_TEST_SUITE_P(in_bursts_of, deque_stress, testing::Values(1, 2, 3, 7, 64), testing::PrintToStringParamName());

}  // namespace
