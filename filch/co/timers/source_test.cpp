// Timers in a pool whose idle worker sleeps in an external source.
#include <filch/sched/pool/mailbox_test.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace filch::inline v0_2::co {
namespace {

using namespace std::chrono_literals;

class timers_beside_a_source : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(workers, timers_beside_a_source, testing::Values(1u, 2u, 4u));

task<> sleep_short(std::chrono::microseconds length) { co_await sleep_for(length); }

TEST_P(timers_beside_a_source, letters_and_timers_come_wherever_workers_sleep) {
  sched::pool_with_a_mailbox made{GetParam()};
  std::atomic<int> handled{0};
  for (int i = 1; i <= 400; ++i) {
    join_handle<> sleeps = spawn(made.pool(), sleep_short(std::chrono::microseconds(i % 40 * 25)));
    if (i % 40 == 0) std::this_thread::sleep_for(3ms);
    made.box.put([&] { ++handled; });
    block_on(std::move(sleeps));
    while (handled < i) std::this_thread::yield();
  }
}

}  // namespace
}  // namespace filch::co
