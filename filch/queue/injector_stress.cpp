// Every job that real threads inject is delivered once, and each submitter's jobs in order. The run
// counts only if the test would have noticed a lock that excludes no thread.
#include <filch/base/long_stress.hpp>
#include <filch/queue/broken_sync_stress.hpp>
#include <filch/queue/injector_stress.hpp>

#include <gtest/gtest.h>

namespace {

using filch::base::now_ns;

bool notices_an_open_lock() {
  using broken_sync = filch::queue::lockless<filch::base::real_sync>;
  // Never destroyed: the destructor would notice that something is left
  auto* const broken = new filch::queue::injector<broken_sync>;
  filch::queue::injected first;
  broken->push(first);  // so that a push between the two writes of another finds a tail
  if (broken->pop() != &first) return false;
  filch::queue::injector_rush<broken_sync> threads{*broken};
  return filch::base::notices("queue.injector", "a lock that excludes nobody",
                              [&] { return threads.run_until(0) > 0; });
}

TEST(injector_stress, every_job_is_delivered_once_and_in_its_submitters_order) {
  ASSERT_TRUE(!filch::base::can_calibrate() || notices_an_open_lock())
      << "void: an open lock goes unseen";
  filch::queue::injector<> queue;
  filch::queue::injector_rush<filch::base::real_sync> threads{queue};
  const std::uint64_t wanted = filch::base::long_count(0, 100'000'000);
  std::size_t faults = 0;
  do faults = threads.run_until(now_ns() + 2'000'000'000);
  while (faults == 0 && threads.operations() < wanted);
  EXPECT_EQ(faults, 0u);
  EXPECT_TRUE(queue.looks_empty());
  filch::base::print_stress_evidence("queue.injector", threads.operations(), 5, faults == 0);
}

}  // namespace
