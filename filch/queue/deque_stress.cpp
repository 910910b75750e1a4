// Every item of a deque under real threads is delivered exactly once. A run counts if it would have noticed a claim that two can win;
// what else it can see is measured in deque_calibration_stress.cpp.
#include <filch/base/long_stress.hpp>
#include <filch/queue/broken_sync_stress.hpp>
#include <filch/queue/deque_stress.hpp>
#include <filch/queue/yielding_sync_stress.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using filch::base::now_ns;
using filch::queue::deque_rush;

class deque_stress : public testing::TestWithParam<std::size_t> {};

// The long run does 10^9 operations in all, and 10^8 duels for a last entry: in bursts of one every item is the last.
TEST_P(deque_stress, every_item_is_delivered_exactly_once) {
  using filch::queue::claimless_sync;
  ASSERT_TRUE(filch::queue::is_caught(deque_rush<claimless_sync>{1, GetParam()})) << "void: a claim that two win goes unseen";
  const std::uint64_t wanted = filch::base::long_count(0, GetParam() == 1 ? 67'000'000 : 70'000'000);
  for (const unsigned thief_count : {1u, 2u, 5u, 15u}) {
    deque_rush<filch::base::real_sync> threads{thief_count, GetParam()};
    std::size_t faults = 0;
    do faults = threads.run_until(now_ns() + 300'000'000);
    while (faults == 0 && threads.operations() < wanted);
    EXPECT_EQ(faults, 0u) << thief_count << " thieves";
    const std::string name =
        "queue.deque_in_bursts_of_" + std::to_string(GetParam()) + "_with_" + std::to_string(thief_count) + "_thieves";
    filch::base::print_stress_evidence(name.c_str(), threads.operations(), 1 + thief_count, faults == 0);
  }
}

TEST_P(deque_stress, every_item_is_delivered_exactly_once_though_threads_yield_anywhere) {
  deque_rush<filch::queue::yielding_sync> threads{3, GetParam()};
  const std::size_t faults = threads.run_until(now_ns() + filch::base::long_count(300'000'000, 60'000'000'000));
  EXPECT_EQ(faults, 0u);
  const std::string name = "queue.deque_with_yields_in_bursts_of_" + std::to_string(GetParam());
  filch::base::print_stress_evidence(name.c_str(), threads.operations(), 4, faults == 0);
}

INSTANTIATE_TEST_SUITE_P(in_bursts_of, deque_stress, testing::Values(1, 2, 3, 7, 64), testing::PrintToStringParamName());

}  // namespace
