// Predecessors that end, and the nodes of a run: the last one goes on, and sees what all have left.
#include <filch/testing/model/witness.hpp>

#include <filch/graph/countdowns.hpp>

#include <array>

namespace {

using filch::graph::edge;
using filch::testing::checked_sync;
using filch::testing::holds;
using filch::testing::model_assert;
using filch::testing::scenario;

/// Predecessors of one node, each on a thread of its own. The last one of the first turn runs the
/// node, and lets them run again, as a loop of a graph does. Those that see it in time do.
template <int Threads>
struct predecessors : scenario<Threads> {
  filch::graph::basic_arrivals<checked_sync> left;
  std::array<checked_sync::plain<int>, Threads> results;
  std::array<checked_sync::plain<int>, Threads> turns_ended;
  checked_sync::plain<int> node_ran;
  checked_sync::mutex lock;  ///< For the queue by which a graph hands on what is ready.
  checked_sync::plain<int> turn;

  predecessors() {
    left.arm(Threads);
    for (auto& each : results) each.write(0);
    for (auto& each : turns_ended) each.write(0);
    node_ran.write(0);
    turn.write(1);
  }
  void thread(unsigned index) override {
    run(index, 1);
    lock.lock();
    const bool is_second = turn.read() == 2;
    lock.unlock();
    if (is_second) run(index, 2);
  }
  void run(unsigned index, int now) {
    results[index].write(now);
    turns_ended[index].write(now);
    if (!left.arrive(Threads)) return;
    for (auto& each : results) model_assert(each.read() == now, "the node finds all results");
    node_ran.write(node_ran.read() + 1);
    lock.lock();
    turn.write(now + 1);
    lock.unlock();
  }
  void after() override {
    bool all_again = true;
    for (auto& each : turns_ended) all_again &= each.read() == 2;
    model_assert(node_ran.read() == (all_again ? 2 : 1), "a node runs once in each turn");
  }
};

/// Each thread ends nodes of a run, and counts them when it has no more. The first finds that a
/// loop begins anew, before it counts what it has ended.
template <int Threads>
struct threads_of_a_run : scenario<Threads> {
  filch::graph::basic_unended<checked_sync> left;
  std::array<checked_sync::plain<int>, Threads> results;
  checked_sync::plain<int> ended_runs;

  threads_of_a_run() {
    left.begin(2 * Threads);
    for (auto& each : results) each.write(0);
    ended_runs.write(0);
  }
  void thread(unsigned index) override {
    if (index == 0) left.add(2);
    results[index].write(1);
    end(index == 0 ? 3 : 1);
    results[index].write(2);
    end(1);
  }
  void end(std::size_t nodes) {
    if (!left.end(nodes)) return;
    for (auto& each : results) model_assert(each.read() == 2, "the caller finds all results");
    ended_runs.write(ended_runs.read() + 1);
    left.begin(2 * Threads);
  }
  void after() override {
    model_assert(ended_runs.read() == 1, "exactly one thread ends the run");
    model_assert(left.end(2 * Threads), "the next run counts from the start");
  }
};

}  // namespace

TEST(countdowns_model, the_last_of_two_predecessors_runs_the_node_in_each_turn) {
  EXPECT_TRUE(holds<predecessors<2>>());
}
TEST(countdowns_model, the_last_of_three_predecessors_runs_the_node_in_each_turn) {
  EXPECT_TRUE(holds<predecessors<3>>());
}
TEST(countdowns_model, the_last_of_two_threads_ends_the_run) {
  EXPECT_TRUE(holds<threads_of_a_run<2>>());
}
TEST(countdowns_model, the_last_of_three_threads_ends_the_run) {
  EXPECT_TRUE(holds<threads_of_a_run<3>>());
}
WITNESS(edge::arrive, "a node never runs before all its predecessors have left their results",
        predecessors<2>, predecessors<3>);
WITNESS(edge::end, "a run never ends before all its results are there", threads_of_a_run<2>,
        threads_of_a_run<3>);
