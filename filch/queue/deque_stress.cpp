// Every item of a deque under real threads is delivered exactly once. A run counts only if, in the
// same shape, the test would have noticed the mistakes that this shape can show.
#include <filch/base/long_stress.hpp>
#include <filch/queue/broken_sync_stress.hpp>
#include <filch/queue/deque_stress.hpp>
#include <filch/queue/yielding_sync_stress.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using filch::base::notices, filch::base::now_ns;
using filch::queue::deque_rush;

/// One run: how many thieves steal from an owner that works in bursts, over which policy.
template <class Sync>
struct deque_shape {
  std::string name;
  unsigned thief_count;
  std::size_t burst;

  template <class BrokenSync>
  bool sees(const char* mistake, std::size_t round_items) const {
    deque_rush<BrokenSync> broken{thief_count, burst, round_items};
    return notices(name, mistake, [&] { return broken.run_until(0) > 0; });
  }
  /// Bursts of one and two never grow, nor do they show a missing order. In bursts of one the last
  /// item is the only one, which its claim protects. In bursts of two it takes two whole steals
  /// within the life of one buffered store. With more thieves than processors both show late, as
  /// most thieves do not run.
  bool is_calibrated() const {
    using namespace filch::queue;
    if (!filch::base::can_calibrate()) return true;
    if (!sees<claimless<Sync>>("a claim that two win", 1 << 12)) return false;
    if (burst <= 2 || thief_count > 1) return true;
    if (!sees<growing_in_secret<Sync>>("an array that grows in secret", 1 << 15)) return false;
    return !buffers_stores || sees<unordered<Sync>>("no order between pop and steal", 1 << 18);
  }
};

class deque_stress : public testing::TestWithParam<std::size_t> {};

// The long run does 10^9 operations, and 10^8 duels for a last item: in bursts of one every item is
// the last.
TEST_P(deque_stress, every_item_is_delivered_exactly_once) {
  const std::uint64_t wanted =
      filch::base::long_count(0, GetParam() == 1 ? 67'000'000 : 70'000'000);
  for (const unsigned thief_count : {1u, 2u, 5u, 15u}) {
    using filch::base::real_sync;
    const std::string name = "queue.deque_in_bursts_of_" + std::to_string(GetParam()) + "_with_" +
                             std::to_string(thief_count) + "_thieves";
    ASSERT_TRUE((deque_shape<real_sync>{name, thief_count, GetParam()}.is_calibrated()))
        << "void: a mistake goes unseen";
    deque_rush<real_sync> threads{thief_count, GetParam()};
    std::size_t faults = 0;
    do faults = threads.run_until(now_ns() + 300'000'000);
    while (faults == 0 && threads.operations() < wanted);
    EXPECT_EQ(faults, 0u) << thief_count << " thieves";
    filch::base::print_stress_evidence(name.c_str(), threads.operations(), 1 + thief_count,
                                       faults == 0);
  }
}

TEST_P(deque_stress, every_item_is_delivered_exactly_once_though_threads_yield_anywhere) {
  using filch::queue::yielding_sync;
  const std::string name = "queue.deque_with_yields_in_bursts_of_" + std::to_string(GetParam());
  ASSERT_TRUE((deque_shape<yielding_sync>{name, 3, GetParam()}.is_calibrated()))
      << "void: a mistake goes unseen";
  deque_rush<yielding_sync> threads{3, GetParam()};
  const std::size_t faults =
      threads.run_until(now_ns() + filch::base::long_count(300'000'000, 60'000'000'000));
  EXPECT_EQ(faults, 0u);
  filch::base::print_stress_evidence(name.c_str(), threads.operations(), 4, faults == 0);
}

INSTANTIATE_TEST_SUITE_P(in_bursts_of, deque_stress, testing::Values(1, 2, 3, 7, 64),
                         testing::PrintToStringParamName());

}  // namespace
