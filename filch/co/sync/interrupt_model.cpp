// A task that waits and its canceller, under every interleaving: the task is interrupted only while
// it waits.
#include <filch/testing/model/witness.hpp>

#include <filch/co/sync/interrupt.hpp>

namespace {

using filch::co::sync::basic_interrupt;
using filch::co::sync::edge;
using filch::testing::checked_fenceless_sync;
using filch::testing::checked_membarrier_sync;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

template <class Sync>
struct waiter {
  typename Sync::template plain<int> prepared{0};
  typename Sync::template plain<int> interrupted{0};
};

/// Thread 0 waits twice, each time with another waiter; thread 1 asks once. Both access a waiter by
/// plain accesses, the task before and after its wait.
template <class Sync, bool HasFence>
struct meeting : scenario<2> {
  basic_interrupt<Sync, waiter<Sync>> point{HasFence};
  waiter<Sync> first, second;
  int interrupts = 0;
  int refusals = 0;
  bool found_somebody = false;

  void wait_with(waiter<Sync>& mine) {
    mine.prepared.write(1);
    if (!point.arm(mine)) {
      ++refusals;
      return;
    }
    point.disarm();
    interrupts += mine.interrupted.read();
    mine.prepared.write(0);
  }
  void thread(unsigned index) override {
    if (index == 0) {
      wait_with(first);
      wait_with(second);
      return;
    }
    point.ask([this](waiter<Sync>& found) {
      model_assert(found.prepared.read() == 1,
                   "the waiter that is found is about to wait, or does");
      found.interrupted.write(1);
      found_somebody = true;
    });
  }
  void after() override {
    model_assert(interrupts <= 1 && interrupts <= found_somebody,
                 "one wait is interrupted at most");
    model_assert(!point.arm(first), "no later one begins");
  }
};

/// A waiter that is armed and not disarmed is found, or was refused.
template <class Sync, bool HasFence>
struct waiting_for_ever : scenario<2> {
  basic_interrupt<Sync, waiter<Sync>> point{HasFence};
  waiter<Sync> mine;
  bool was_refused = false;
  bool was_found = false;

  void thread(unsigned index) override {
    if (index == 0) {
      was_refused = !point.arm(mine);
    } else {
      point.ask([this](waiter<Sync>&) { was_found = true; });
    }
  }
  void after() override {
    model_assert(was_refused || was_found, "no waiter that was asked to stop waits for ever");
  }
};

}  // namespace

TEST(interrupt_model, a_wait_is_interrupted_only_while_it_lasts) {
  EXPECT_TRUE((holds<meeting<checked_sync, true>>()));
}
TEST(interrupt_model, a_wait_is_interrupted_only_while_it_lasts_by_membarrier) {
  EXPECT_TRUE((holds<meeting<checked_membarrier_sync, true>>()));
}
TEST(interrupt_model, a_wait_is_interrupted_only_while_it_lasts_without_the_fence) {
  EXPECT_TRUE((holds<meeting<checked_fenceless_sync, false>>()));
}
TEST(interrupt_model, nobody_waits_for_ever) {
  EXPECT_TRUE((holds<waiting_for_ever<checked_sync, true>>()));
}
TEST(interrupt_model, nobody_waits_for_ever_by_membarrier) {
  EXPECT_TRUE((holds<waiting_for_ever<checked_membarrier_sync, true>>()));
}
TEST(interrupt_model, nobody_waits_for_ever_without_the_fence) {
  EXPECT_TRUE((holds<waiting_for_ever<checked_fenceless_sync, false>>()));
}

using meeting_by_fences = meeting<checked_sync, true>;
using waiting_by_fences = waiting_for_ever<checked_sync, true>;
WITNESS(edge::arm, "an interrupted waiter has prepared for it", meeting_by_fences);
WITNESS(edge::ask, "a waiter that is asked to stop is found, or sees it", waiting_by_fences);
