// The end of a task and the holder of its handle, under every interleaving: exactly one of them
// goes on, and sees what the other left.
#include <filch/testing/model/witness.hpp>

#include <filch/co/completion.hpp>

namespace {

using filch::co::edge;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// What the holder's side keeps: a suspended coroutine, or its last access before it drops the
/// handle.
struct holder {
  checked_sync::plain<int> kept;
};

/// The task is thread 0, the holder thread 1. Accesses to both frames are plain: one of the two
/// owns them.
struct meeting : scenario<2> {
  filch::co::basic_completion<checked_sync, holder> completion;
  checked_sync::plain<int> result;
  checked_sync::plain<int> ended;
  holder mine;

  meeting() {
    result.write(0);
    ended.write(0);
    mine.kept.write(0);
  }
  void go_on(holder& of) {
    model_assert(result.read() == 1, "the one that goes on finds the result");
    model_assert(of.kept.read() == 1, "the one that goes on finds the holder as it was left");
    model_assert(completion.is_finished(), "the one that goes on finds the task finished");
    ended.write(ended.read() + 1);
  }
  void end_task() {
    result.write(1);
    if (holder* const found = completion.finish()) go_on(*found);
  }
  void await() {
    mine.kept.write(1);
    if (!completion.leave(mine)) go_on(mine);
  }
  void thread(unsigned index) override { index == 0 ? end_task() : await(); }
  void after() override { model_assert(ended.read() == 1, "exactly one of them goes on"); }
};

/// The holder never takes back what it leaves, so a task that finds it need not write.
struct meeting_for_good : meeting {
  void thread(unsigned index) override {
    if (index == 0) return end_task();
    mine.kept.write(1);
    if (!completion.leave_for_good(mine)) go_on(mine);
  }
};

/// The holder looks first, as an await does to avoid a suspension.
struct meeting_after_a_look : meeting {
  void thread(unsigned index) override {
    if (index == 0) return end_task();
    if (!completion.is_finished()) return await();
    mine.kept.write(1);
    go_on(mine);
  }
};

/// The holder stops waiting and lets the task run by itself, unless it is too late for that.
struct meeting_taken_back : meeting {
  holder dropped;

  meeting_taken_back() { dropped.kept.write(0); }
  void thread(unsigned index) override {
    if (index == 0) return end_task();
    mine.kept.write(1);
    if (!completion.leave(mine)) return go_on(mine);
    if (!completion.take_back(mine)) return;
    mine.kept.write(2);  // the task never reads it now
    dropped.kept.write(1);
    if (!completion.leave_for_good(dropped)) go_on(dropped);
  }
};

}  // namespace

TEST(completion_model, one_of_task_and_holder_goes_on) { EXPECT_TRUE(holds<meeting>()); }
TEST(completion_model, one_of_task_and_a_holder_that_stays_for_good_goes_on) {
  EXPECT_TRUE(holds<meeting_for_good>());
}
TEST(completion_model, a_look_at_a_finished_task_is_enough) {
  EXPECT_TRUE(holds<meeting_after_a_look>());
}
TEST(completion_model, one_of_them_goes_on_though_the_holder_takes_back_what_it_left) {
  EXPECT_TRUE(holds<meeting_taken_back>());
}
WITNESS(edge::complete, "an await never finds a task finished and its result missing", meeting,
        meeting_after_a_look);
WITNESS(edge::await, "a task never resumes a waiter that is not suspended yet", meeting,
        meeting_for_good);
