// A task that waits and who asks it to stop, under every interleaving: it is interrupted only while it waits.
#include <filch/testing/model/witness.hpp>

#include <filch/co/sync/interrupt.hpp>

namespace {

using filch::co::sync::basic_interrupt;
using filch::co::sync::edge;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

struct waiter {
  checked_sync::plain<int> prepared{0};
  checked_sync::plain<int> interrupted{0};
};

/// Thread 0 waits twice, each time with a waiter of its own; thread 1 asks once. What either does with a waiter are plain accesses, that
/// of the task before and after the wait.
struct meeting : scenario<2> {
  basic_interrupt<checked_sync, waiter> point;
  waiter first, second;
  int interrupts = 0;
  bool was_refused = false;

  void wait_with(waiter& mine) {
    mine.prepared.write(1);
    if (!point.arm(mine)) {
      was_refused = true;
      return;
    }
    point.disarm(mine);
    interrupts += mine.interrupted.read();
    mine.prepared.write(0);
  }
  void thread(unsigned index) override {
    if (index == 0) {
      wait_with(first);
      wait_with(second);
      return;
    }
    point.ask([](waiter& found) {
      model_assert(found.prepared.read() == 1, "who is found is about to wait, or does");
      found.interrupted.write(1);
    });
  }
  void after() override {
    model_assert(interrupts <= 1, "one wait is interrupted");
    model_assert(interrupts == 0 || first.interrupted.read() == 0 || was_refused, "and no later one begins");
    model_assert(!point.arm(first), "no later one begins");
  }
};

}  // namespace

TEST(interrupt_model, a_wait_is_interrupted_only_while_it_lasts) { EXPECT_TRUE(holds<meeting>()); }
WITNESS(edge::arm, "who is interrupted has prepared for it", meeting);
