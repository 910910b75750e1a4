// A stress test is worth what it has been seen to catch: here the deque lacks one order, and must be caught at it.
#include <filch/queue/deque_stress.hpp>

#include <gtest/gtest.h>

#if defined(__linux__)
#include <sched.h>
#endif

namespace {

using filch::base::now_ns;
using filch::queue::deque_rush;

/// The shipped policy without the store-load order between pop and steal: the fault that this test exists to catch.
struct weakened_sync : filch::base::real_sync {
  template <class T>
  class atomic : public filch::base::atomic<T> {
   public:
    using filch::base::atomic<T>::atomic;
    T load(std::memory_order order) const noexcept {
      return filch::base::atomic<T>::load(std::min(order, std::memory_order_acquire));
    }
    void store(T value, std::memory_order order) noexcept {
      filch::base::atomic<T>::store(value, std::min(order, std::memory_order_release));
    }
  };
};

#if defined(__x86_64__) && defined(__linux__)  // elsewhere the fault is there, but no particular shape is sure to show it
int usable_core_count() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

class deque_stress_calibration : public testing::TestWithParam<std::size_t> {};

TEST_P(deque_stress_calibration, a_missing_store_load_order_is_noticed) {
  if (usable_core_count() < 2) return;  // one core sees its own stores in order
  deque_rush<weakened_sync> threads{1, GetParam()};
  EXPECT_GT(threads.run_until(now_ns() + 60'000'000'000), 0u)
      << "this stress test would not notice the fault that it exists for";
}

// Not in bursts of 1: there the last item is the only one, which its claim protects, and nothing ever goes wrong. Nor of 2: that
// needs two whole steals within the life of one buffered store: seen after 50 ms in one run, and not within a minute in another.
INSTANTIATE_TEST_SUITE_P(in_bursts_of, deque_stress_calibration, testing::Values(3, 7, 64), testing::PrintToStringParamName());
#endif

}  // namespace
