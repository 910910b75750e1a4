// Graphs of up to a million nodes.
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

namespace filch::inline v0_2 {
namespace {

class large_graphs : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, large_graphs, ::testing::Values(1u, 4u));

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int million = 100'000;
#else
constexpr int million = 1'000'000;
#endif

TEST_P(large_graphs, a_million_nodes_without_dependencies_run) {
  task_graph g;
  std::atomic<int> ran{0};
  for (int i = 0; i < million; ++i) g.emplace([&] { ran.fetch_add(1, std::memory_order_relaxed); });
  for (int run = 1; run <= 2; ++run) {
    g.run(with(pool));
    EXPECT_EQ(ran, million * run);
  }
}

TEST_P(large_graphs, a_chain_of_a_million_needs_no_stack) {
  task_graph g;
  int ran = 0;
  auto before = g.emplace([&] { ran = 0; });
  for (int i = 0; i < million; ++i) {
    const auto next = g.emplace([&] { ++ran; });
    before.precede(next);
    before = next;
  }
  for (int run = 1; run <= 2; ++run) {
    g.run(with(pool));
    EXPECT_EQ(ran, million);
  }
  EXPECT_EQ(before.outcome(), node_outcome::ran);
}

// More than a fork stack holds.
TEST_P(large_graphs, a_star_of_a_million_runs) {
  for (const int leaves : {100'000, million}) {
    task_graph g;
    std::atomic<int> ran{0};
    const auto root = g.emplace([] {});
    const auto last = g.emplace([&] { return ran.load(); });
    for (int i = 0; i < leaves; ++i) {
      const auto leaf = g.emplace([&] { ran.fetch_add(1, std::memory_order_relaxed); });
      root.precede(leaf);
      leaf.precede(last);
    }
    for (int run = 1; run <= 2; ++run) {
      g.run(with(pool));
      EXPECT_EQ(last.get(), leaves * run);
    }
  }
}

TEST_P(large_graphs, what_found_no_room_is_cancelled_too) {
  task_graph g;
  std::atomic<int> ran{0}, began{0};
  const auto root = g.emplace([] {});
  for (int i = 0; i < 400'000; ++i)
    root.precede(g.emplace([&] {
      ++began;
      if (began == 1000) throw std::runtime_error("as the test wants");
      ++ran;
    }));
  EXPECT_THROW(g.run(with(pool)), std::runtime_error);
  EXPECT_LT(ran, 2000);
  began = 1000;
  g.run(with(pool));
  EXPECT_GE(ran, 400'000);
}

TEST_P(large_graphs, a_coroutine_precedes_more_than_a_fork_stack_holds) {
  task_graph g;
  std::atomic<int> ran{0};
  const auto root = g.emplace([]() -> task<> { co_await co::yield(); });
  for (int i = 0; i < 400'000; ++i)
    root.precede(g.emplace([&] { ran.fetch_add(1, std::memory_order_relaxed); }));
  g.run(with(pool));
  EXPECT_EQ(ran, 400'000);
}

TEST_P(large_graphs, a_wavefront_runs_in_order) {
  constexpr std::size_t side = 150;
  task_graph g;
  std::vector<int> when(side * side);
  std::vector<graph_node<>> nodes;
  for (std::size_t i = 0; i < side * side; ++i) {
    nodes.push_back(g.emplace([&when, i] {
      const int above = i < side ? 0 : when[i - side], left = i % side == 0 ? 0 : when[i - 1];
      when[i] = std::max(above, left) + 1;
    }));
    if (i >= side) nodes[i - side].precede(nodes[i]);
    if (i % side != 0) nodes[i - 1].precede(nodes[i]);
  }
  for (int run = 0; run < 5; ++run) {
    g.run(with(pool));
    ASSERT_EQ(when.back(), 2 * static_cast<int>(side) - 1);
  }
}

// Found in time that grows with the nodes alone.
TEST(large_graphs, a_cycle_of_many_nodes_is_named) {
  task_graph g;
  const auto first = g.emplace("first", [] {});
  auto before = first;
  for (int i = 0; i < 100'000; ++i) {
    const auto next = g.emplace("n", [] {});
    before.precede(next);
    before = next;
  }
  before.precede(first);
  EXPECT_TRUE(contains(error_of<std::logic_error>([&] { g.run(); }), "then first"));
}

TEST(large_graphs, a_thousand_loops_one_after_the_other_run) {
  task_graph g;
  std::vector<int> turns(1000);
  auto before = g.emplace([&] { turns.assign(turns.size(), 0); });
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const auto head = g.emplace([&turns, i] { ++turns[i]; });
    const auto more = g.branch(
        "more", [&turns, i] { return turns[i] < 3; }, head);
    before.precede(head);
    more.choose(true, head);
    const auto next = g.emplace([] {});
    more.precede(next);
    before = next;
  }
  for (int run = 0; run < 2; ++run) {
    g.run();
    for (const int each : turns) ASSERT_EQ(each, 3);
  }
}

}  // namespace
}  // namespace filch
