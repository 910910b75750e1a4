// Which of several ready nodes runs first.
#include <filch/base/clock.hpp>
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;

class graph_ordered : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_ordered, widths_of_graphs);

void compute_for(std::chrono::microseconds length) {
  const auto end = std::chrono::steady_clock::now() + length;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(graph_order, nodes_of_a_higher_priority_begin_first) {
  thread_pool pool{{.workers = 1}};
  task_graph g;
  std::vector<int> order;
  const auto root = g.emplace([] {});
  const priority urgencies[] = {priority::background, priority::high, priority::normal};
  for (int i = 0; i < 9; ++i) {
    const auto node = g.emplace([&, i] { order.push_back(i % 3); });
    node.at(urgencies[i % 3]);
    root.precede(node);
  }
  for (int run = 0; run < 5; ++run) {
    order.clear();
    g.run(with(pool));
    EXPECT_EQ(order, (std::vector{1, 1, 1, 2, 2, 2, 0, 0, 0})) << "in run " << run;
  }
}

/// The order in which four chains begin in a second run, of which the first is the longest.
std::vector<int> second_order_of_chains(thread_pool& pool, graph_order how) {
  task_graph g;
  g.set(how);
  std::vector<int> order;
  const auto root = g.emplace([] {});
  for (int i = 0; i < 4; ++i) {
    const auto first = g.emplace([&, i] {
      order.push_back(i);
      compute_for(50us);
    });
    root.precede(first);
    first.precede(g.emplace([=] { compute_for((3 - i) * 3000us); }));
  }
  g.run(with(pool));
  order.clear();
  g.run(with(pool));
  return order;
}

TEST(graph_order, the_longest_way_is_begun_first_after_a_run) {
  thread_pool pool{{.workers = 1}};
  // Other load may stretch a node of the first run
  int trials = 20;
  while (trials > 0 &&
         second_order_of_chains(pool, graph_order::critical_path) != std::vector{0, 1, 2, 3})
    --trials;
  EXPECT_GT(trials, 0);
  EXPECT_EQ(second_order_of_chains(pool, graph_order::arrival), (std::vector{3, 2, 1, 0}));
}

TEST(graph_order, an_order_can_be_given_up) {
  thread_pool pool{{.workers = 1}};
  task_graph g;
  std::atomic<int> ran{0};
  const auto root = g.emplace([] {});
  for (int i = 0; i < 4; ++i)
    root.precede(g.emplace([&] {
      ++ran;
      compute_for(50us);
    }));
  for (const graph_order how :
       {graph_order::critical_path, graph_order::arrival, graph_order::critical_path}) {
    g.set(how);
    for (int run = 0; run < 3; ++run) g.run(with(pool));
  }
  EXPECT_EQ(ran, 36);
}

// Nodes of which the order knows nothing, or that wait in queues, run once all the same.
TEST_P(graph_ordered, each_node_runs_once_whatever_the_order_is) {
  task_graph g;
  graph_limit two{2}, one{1};
  thread_pool other{{.workers = 1}};
  std::vector<std::atomic<int>> ran(60);
  std::vector<graph_node<>> nodes;
  for (std::size_t i = 0; i < ran.size(); ++i) {
    nodes.push_back(g.emplace([&, i] {
      ++ran[i];
      compute_for(std::chrono::microseconds(20 + i % 7));
    }));
    if (i % 3 == 0) nodes[i].limited_by(two);
    if (i % 4 == 0) nodes[i].limited_by(one);
    if (i % 5 == 0) nodes[i].at(priority::high);
    if (i % 11 == 0) nodes[i].on(other);
    if (i > 6) nodes[i].succeed(nodes[i / 2], nodes[i / 3], nodes[i - 5]);
  }
  g.emplace("inside", [&](subgraph& s) {
     for (int i = 0; i < 5; ++i) s.emplace([&] { compute_for(10us); }).limited_by(two);
   }).succeed(nodes[20]);
  for (int run = 1; run <= 20; ++run) {
    g.run(with(pool));
    for (const auto& each : ran) ASSERT_EQ(each, run);
    ASSERT_EQ(one.in_use() + two.in_use(), 0u);
    if (run == 10) g.set(graph_order::arrival);
  }
}

// A subgraph that ends hands on the best node that is ready, which has its limits already.
TEST(graph_order, a_node_that_has_its_limits_takes_them_once) {
  thread_pool pool{{.workers = 2}};
  task_graph g;
  graph_limit one{1};
  std::atomic<bool> has_begun{false}, has_run{false};
  const auto inside = g.emplace([&](subgraph& s) { s.emplace([&] { wait_for(has_begun); }); });
  inside.precede(g.emplace([] {}).at(priority::background));
  const auto other = g.emplace([] {});
  const auto limited = g.emplace([&] { has_run = true; });
  limited.limited_by(one);
  const auto keeps_its_worker = g.emplace([&] {
    has_begun = true;
    wait_for(has_run);
  });
  keeps_its_worker.at(priority::high);
  other.precede(limited, keeps_its_worker);
  for (int run = 0; run < 5; ++run) {
    has_begun = has_run = false;
    g.run(with(pool));
    EXPECT_EQ(one.in_use(), 0u);
  }
}

TEST_P(graph_ordered, a_run_by_a_task_keeps_the_order) {
  task_graph g;
  std::atomic<int> ran{0};
  const auto root = g.emplace([] {});
  for (int i = 0; i < 30; ++i) {
    const auto node = g.emplace([&] {
      ++ran;
      compute_for(30us);
    });
    node.at(i % 2 == 0 ? priority::high : priority::background);
    root.precede(node);
  }
  for (int run = 1; run <= 5; ++run) {
    block_on(pool, run_in_task(g, with(pool)));
    ASSERT_EQ(ran, 30 * run);
  }
}

}  // namespace
}  // namespace filch
