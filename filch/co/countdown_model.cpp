// Ending children and their parent, which waits: the last goes on, and sees what all have left.
#include <filch/testing/model/witness.hpp>

#include <filch/co/countdown.hpp>

#include <array>

namespace {

using filch::co::edge;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// Thread 0 is the parent, the others are its children.
template <int Threads>
struct children : scenario<Threads> {
  filch::co::basic_countdown<checked_sync> left;
  std::array<checked_sync::plain<int>, Threads> results;
  checked_sync::plain<int> went_on;

  children() {
    for (auto& each : results) each.write(0);
    went_on.write(0);
    for (int i = 1; i < Threads; ++i) left.add();
  }
  void thread(unsigned index) override {
    results[index].write(1);
    if (!left.end_one()) return;
    for (auto& each : results) model_assert(each.read() == 1, "the last finds what all have left");
    went_on.write(went_on.read() + 1);
  }
  void after() override { model_assert(went_on.read() == 1, "exactly one goes on"); }
};

/// The parent stops waiting, unless it is too late, and waits again.
struct children_left_for_a_while : children<3> {
  checked_sync::plain<int> waits;  ///< The waiter: the last thread reads it.

  children_left_for_a_while() { waits.write(1); }
  void thread(unsigned index) override {
    if (index == 0) {
      if (left.end_one()) return go_on();
      if (!left.add_again()) return;
      waits.write(2);
    }
    results[index].write(1);
    if (left.end_one()) go_on();
  }
  void go_on() {
    for (std::size_t i = 1; i < results.size(); ++i)
      model_assert(results[i].read() == 1, "the last finds what all have left");
    model_assert(waits.read() != 0, "the last finds its waiter");
    went_on.write(went_on.read() + 1);
  }
};

}  // namespace

TEST(countdown_model, the_last_of_two_goes_on) { EXPECT_TRUE(holds<children<2>>()); }
TEST(countdown_model, the_last_of_three_goes_on) { EXPECT_TRUE(holds<children<3>>()); }
TEST(countdown_model, one_goes_on_though_the_waiter_gives_up_in_between) {
  EXPECT_TRUE(holds<children_left_for_a_while>());
}
WITNESS(edge::last_one, "a parent never goes on without what one of its children left", children<2>,
        children<3>);
