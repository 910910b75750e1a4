// A waiter in two lines, each with a lock of its own, under every interleaving: one server ends its
// wait, and what another brought is left.
#include <filch/testing/model/witness.hpp>

#include <filch/co/sync/choice.hpp>

#include <array>

namespace {

using filch::co::sync::basic_choice;
using filch::co::sync::wait_link;
using filch::co::sync::wait_list;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

struct line {
  checked_sync::mutex lock;
  wait_list waiting;
  checked_sync::plain<int> left{0};  ///< What was brought while no waiter was listed.
};

/// The first thread takes what is there or waits in both lines. Each of the next two threads brings
/// one thing to one line.
template <int Threads>
struct one_of_two : scenario<Threads> {
  std::array<line, 2> lines;
  std::array<wait_link, 2> waits;
  basic_choice<checked_sync> choice;
  checked_sync::plain<int> taken{0};
  checked_sync::plain<bool> is_listed{false};

  one_of_two() {
    for (line& each : lines) each.left.write(0);
    for (wait_link& each : waits) each.among = &choice;
  }
  bool take_what_is_there() {
    for (line& each : lines) {
      if (each.left.read() == 0) continue;
      each.left.write(0);
      taken.write(taken.read() + 1);
      return true;
    }
    return false;
  }
  void wait_in_both() {
    for (line& each : lines) each.lock.lock();
    if (!take_what_is_there()) {
      for (unsigned i = 0; i < 2; ++i) lines[i].waiting.push_back(waits[i]);
      is_listed.write(true);
    }
    for (line& each : lines) each.lock.unlock();
  }
  void bring_to(line& one) {
    one.lock.lock();
    const wait_link* const served = one.waiting.serve_first();
    if (served == nullptr) one.left.write(1);
    one.lock.unlock();
    if (served == nullptr) return;
    model_assert(choice.first() == served, "a served waiter has ended its wait");
    taken.write(taken.read() + 1);
  }
  void thread(unsigned index) override { index == 0 ? wait_in_both() : bring_to(lines[index - 1]); }
  int leave_both() {
    int left = 0;
    for (unsigned i = 0; i < 2; ++i) {
      left += lines[i].left.read();
      if (waits[i].list != nullptr) lines[i].waiting.remove(waits[i]);
    }
    return left;
  }
  void after() override {
    model_assert(taken.read() == 1, "one of the two was taken");
    model_assert(leave_both() == 1, "the other one is left");
  }
};

/// The last thread interrupts the waiter under the first lock, as `wait_node::interrupt` does.
struct one_of_two_and_an_interrupt : one_of_two<4> {
  wait_link whole;
  bool was_interrupted = false;

  void thread(unsigned index) override {
    if (index < 3) return one_of_two<4>::thread(index);
    lines[0].lock.lock();
    was_interrupted = is_listed.read() && choice.claim(whole);
    lines[0].lock.unlock();
  }
  void after() override {
    model_assert(taken.read() == 1 - was_interrupted,
                 "one was taken, unless the wait was interrupted");
    model_assert(leave_both() == 1 + was_interrupted, "what was not taken is left");
  }
};

}  // namespace

TEST(choice_model, one_ends_the_wait_and_the_other_is_left) { EXPECT_TRUE(holds<one_of_two<3>>()); }
TEST(choice_model, an_interrupt_ends_it_or_does_not) {
  EXPECT_TRUE(holds<one_of_two_and_an_interrupt>());
}
