// Ending forked children and the parent that joins them: the last to come goes on, and sees what
// all have left.
#include <filch/testing/model/witness.hpp>

#include <filch/co/join_counter.hpp>

#include <array>

namespace {

using filch::co::edge;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// Thread 0 is the parent, which was taken at each of its forks; the others are its children.
template <int Threads>
struct forks : scenario<Threads> {
  filch::co::basic_join_counter<checked_sync> counter;
  std::array<checked_sync::plain<int>, Threads> results;
  checked_sync::plain<int> went_on;

  forks() {
    for (auto& each : results) each.write(0);
    went_on.write(0);
  }
  void thread(unsigned index) override {
    if (index != 0) {
      results[index].write(1);
      if (counter.end_one()) go_on();
      return;
    }
    for (int i = 1; i < Threads; ++i) counter.leave_one();
    results[0].write(1);
    if (!counter.wait()) go_on();
  }
  void go_on() {
    for (auto& each : results)
      model_assert(each.read() == 1, "the one that goes on finds what all have left");
    went_on.write(went_on.read() + 1);
    model_assert(counter.is_joined(), "nobody is left behind");
  }
  void after() override {
    model_assert(went_on.read() == 1, "exactly one goes on");
    counter.leave_one();
    model_assert(counter.wait() && counter.end_one(), "the next round begins as the first");
  }
};

}  // namespace

TEST(join_counter_model, the_last_of_a_parent_and_its_child_goes_on) {
  EXPECT_TRUE(holds<forks<2>>());
}
TEST(join_counter_model, the_last_of_a_parent_and_two_children_goes_on) {
  EXPECT_TRUE(holds<forks<3>>());
}
WITNESS(edge::join, "a join never ends without what a child left, nor before its parent waits",
        forks<2>, forks<3>);
