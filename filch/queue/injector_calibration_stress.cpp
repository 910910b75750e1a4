// A stress test is worth what it has been seen to catch: here the injector's lock excludes nobody, and must be caught at it.
#include <filch/queue/injector_stress.hpp>

#include <gtest/gtest.h>

namespace {

using filch::base::now_ns;

struct lockless_sync : filch::base::real_sync {
  struct mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
  };
};

TEST(injector_stress_calibration, a_lock_that_excludes_nobody_is_noticed) {
  if (std::thread::hardware_concurrency() < 2) return;             // one core seldom switches inside a push
  auto* const broken = new filch::queue::injector<lockless_sync>;  // never destroyed: it would notice that something is left
  filch::queue::injected first;
  broken->push(first);  // so that a push that comes between the two writes of another finds a tail
  ASSERT_EQ(broken->pop(), &first);
  EXPECT_GT(filch::queue::injector_rush<lockless_sync>{*broken}.run_until(now_ns() + 60'000'000'000), 0u)
      << "this stress test would not notice the fault that it exists for";
}

}  // namespace
