// The end of a task, the threads that add what waits for it, and its holders, under every
// interleaving.
#include <filch/testing/model/witness.hpp>

#include <filch/graph/countdowns.hpp>
#include <filch/graph/successors.hpp>

#include <array>
#include <memory>

namespace {

using filch::graph::successor_edge;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// A successor, in the lists of the tasks that it waits for.
struct waiting : filch::graph::basic_successor<checked_sync> {
  checked_sync::plain<int> filled;
  checked_sync::plain<int> went_on;

  waiting() {
    filled.write(0);
    went_on.write(0);
  }
};

/// Thread 0 ends a task. Each other thread adds a successor.
template <int Threads>
struct end_of_a_task : scenario<Threads> {
  filch::graph::basic_successors<checked_sync> successors;
  checked_sync::plain<int> result;
  std::array<waiting, Threads> all;

  end_of_a_task() { result.write(0); }
  void thread(unsigned index) override { index == 0 ? end_task() : add(all[index]); }
  void end_task() {
    result.write(1);
    for (auto* each = successors.end(); each != nullptr;) {
      auto* const next = each->next.read();  // before it may go on
      go_on(static_cast<waiting&>(*each));
      each = next;
    }
  }
  void add(waiting& mine) {
    mine.filled.write(1);
    if (!successors.add(mine)) go_on(mine);
  }
  void go_on(waiting& of) {
    model_assert(result.read() == 1, "what goes on finds the result");
    model_assert(of.filled.read() == 1, "the task finds its successor as it was left");
    model_assert(successors.has_ended(), "what goes on finds that the task has ended");
    of.went_on.write(of.went_on.read() + 1);
  }
  void after() override {
    for (int i = 1; i < Threads; ++i)
      model_assert(all[i].went_on.read() == 1, "each successor goes on once");
  }
};

/// A thread looks whether the task has ended, as a wait does to avoid a sleep.
struct look_at_a_task : end_of_a_task<2> {
  void thread(unsigned index) override {
    if (index == 0) return end_task();
    all[1].filled.write(1);
    if (successors.has_ended()) return go_on(all[1]);
    add(all[1]);
  }
};

/// Threads 0 and 1 end a task each, thread 2 adds one successor to both.
struct two_tasks : scenario<3> {
  std::array<filch::graph::basic_successors<checked_sync>, 2> successors;
  std::array<checked_sync::plain<int>, 2> results;
  std::array<waiting, 2> links;
  filch::graph::basic_arrivals<checked_sync> arrivals;
  checked_sync::plain<int> went_on;

  two_tasks() {
    for (auto& each : results) each.write(0);
    went_on.write(0);
  }
  void thread(unsigned index) override {
    if (index == 2) return add();
    results[index].write(1);
    if (successors[index].end() != nullptr) arrive();
  }
  void add() {
    arrivals.arm(2);
    for (unsigned i = 0; i != 2; ++i)
      if (!successors[i].add(links[i])) arrive();
  }
  void arrive() {
    if (!arrivals.arrive(2)) return;
    for (auto& each : results) model_assert(each.read() == 1, "the successor finds both results");
    went_on.write(went_on.read() + 1);
  }
  void after() override { model_assert(went_on.read() == 1, "the successor goes on once"); }
};

/// Each thread reads what they share, and gives it up.
template <int Threads>
struct shared : scenario<Threads> {
  filch::graph::basic_holders<checked_sync> holders{Threads};
  std::unique_ptr<checked_sync::plain<int>> kept = std::make_unique<checked_sync::plain<int>>();
  checked_sync::plain<int>* const value = kept.get();

  shared() { value->write(1); }
  void thread(unsigned) override {
    model_assert(value->read() == 1, "a holder finds what it holds");
    if (holders.leave()) kept.reset();
  }
  void after() override { model_assert(kept == nullptr, "the last holder frees it"); }
};

/// A holder makes another one, which takes the value if no other is left.
struct shared_again : shared<2> {
  void thread(unsigned index) override {
    if (index == 0) {
      holders.add();
      if (holders.leave()) kept.reset();
    }
    model_assert(value->read() == 1, "a holder finds what it holds");
    if (holders.is_only_one()) value->write(1);
    if (holders.leave()) kept.reset();
  }
};

}  // namespace

TEST(successors_model, a_successor_goes_on_once) { EXPECT_TRUE(holds<end_of_a_task<2>>()); }
TEST(successors_model, two_successors_go_on_once_each) { EXPECT_TRUE(holds<end_of_a_task<3>>()); }
TEST(successors_model, a_look_at_an_ended_task_is_enough) { EXPECT_TRUE(holds<look_at_a_task>()); }
TEST(successors_model, a_successor_of_two_tasks_goes_on_once) { EXPECT_TRUE(holds<two_tasks>()); }
TEST(successors_model, the_last_of_two_holders_frees_it) { EXPECT_TRUE(holds<shared<2>>()); }
TEST(successors_model, the_last_of_three_holders_frees_it) { EXPECT_TRUE(holds<shared<3>>()); }
TEST(successors_model, a_holder_may_make_another) { EXPECT_TRUE(holds<shared_again>()); }
WITNESS(successor_edge::end, "a successor never reads a result that is not there yet",
        end_of_a_task<2>, look_at_a_task);
WITNESS(successor_edge::add, "a task never tells a successor that is not filled yet",
        end_of_a_task<2>);
WITNESS(successor_edge::last_holder, "a task is never freed while a holder reads it", shared<2>,
        shared_again);
