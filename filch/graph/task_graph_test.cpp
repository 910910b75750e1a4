// A graph's life: built, run, changed, moved, cleared.
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace filch::inline v0_2 {
namespace {

class task_graph_on : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, task_graph_on, widths_of_graphs);

TEST_P(task_graph_on, runs_each_node_once_and_after_those_it_depends_on) {
  task_graph g;
  std::vector<std::atomic<int>> ran(4);
  std::atomic<int> wrong{0};
  const auto top = g.emplace([&] { ++ran[0]; });
  const auto left = g.emplace([&] { wrong += ran[0] != ++ran[1]; });
  const auto right = g.emplace([&] { wrong += ran[0] != ++ran[2]; });
  const auto bottom = g.emplace([&] { wrong += ran[1] != ran[2] || ran[2] != ++ran[3]; });
  top.precede(left, right);
  bottom.succeed(left, right);
  for (int i = 1; i <= 100; ++i) {
    g.run(with(pool));
    for (const auto& each : ran) ASSERT_EQ(each, i);
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(task_graph_on, an_empty_graph_and_one_node_run) {
  task_graph g;
  g.run(with(pool));
  block_on(pool, run_in_task(g, {}));
  EXPECT_EQ(g.size(), 0u);
  const auto node = g.emplace([] { return 1; });
  g.run(with(pool));
  EXPECT_EQ(node.get(), 1);
  EXPECT_EQ(g.size(), 1u);
}

TEST_P(task_graph_on, runs_in_jobs_and_tasks_of_its_pool) {
  task_graph g;
  std::atomic<int> ran{0};
  for (int i = 0; i < 20; ++i) g.emplace([&] { ran += pool.is_current(); });
  pool.run([&] {
    g.run();
    join([] {}, [&] { g.run(); });
  });
  task_group group(pool);
  group.run([&] { g.run(); });
  group.wait();
  EXPECT_EQ(ran, 60);
}

TEST_P(task_graph_on, a_node_may_run_another_graph) {
  task_graph inner[3], g;
  std::atomic<int> ran{0};
  for (auto& each : inner) {
    for (int i = 0; i < 20; ++i) each.emplace([&] { ++ran; });
    g.emplace([&] { each.run(); });
  }
  for (int i = 1; i <= 20; ++i) {
    g.run(with(pool));
    ASSERT_EQ(ran, 60 * i);
  }
}

TEST_P(task_graph_on, two_dependencies_between_two_nodes_count_as_two) {
  task_graph g;
  int ran = 0;
  const auto a = g.emplace([] { return 1; });
  const auto b = g.emplace([&](int) { ++ran; }, a);
  a.precede(b, b).precede(b);
  b.succeed(a);
  g.run_n(3);
  EXPECT_EQ(ran, 3);
}

TEST_P(task_graph_on, a_node_that_runs_its_own_graph_fails) {
  task_graph g;
  const auto node = g.emplace([&] { g.run(); });
  EXPECT_TRUE(contains(error_of<std::logic_error>([&] { g.run(with(pool)); }), "that is running"));
  EXPECT_EQ(node.outcome(), node_outcome::failed);
}

TEST_P(task_graph_on, the_second_of_two_threads_that_run_it_is_refused) {
  task_graph g;
  std::atomic<bool> begun{false}, goes_on{false};
  g.emplace([&] {
    begun = true;
    wait_for(goes_on);
  });
  std::thread first{[&] { g.run(with(pool)); }};
  wait_for(begun);
  EXPECT_THROW(g.run(with(pool)), std::logic_error);
  EXPECT_THROW(block_on(pool, run_in_task(g, {})), std::logic_error);
  goes_on = true;
  first.join();
  begun = false;
  g.run(with(pool));
  EXPECT_TRUE(begun);
}

TEST_P(task_graph_on, a_change_while_it_runs_is_refused) {
  task_graph g;
  graph_limit limit{1};
  std::atomic<bool> begun{false}, goes_on{false};
  const auto number = g.input<int>("number");
  number.set(1);
  const auto node = g.emplace([&] {
    begun = true;
    wait_for(goes_on);
  });
  const auto way = g.branch("way", [] { return true; });
  std::thread other{[&] { g.run(with(pool)); }};
  wait_for(begun);
  EXPECT_TRUE(contains(error_of<std::logic_error>([&] { g.emplace([] {}); }), "emplace() of a"));
  EXPECT_THROW(node.precede(way), std::logic_error);
  EXPECT_THROW(node.succeed(number), std::logic_error);
  EXPECT_THROW(node.limited_by(limit), std::logic_error);
  EXPECT_THROW(node.on(pool), std::logic_error);
  EXPECT_THROW(node.at(priority::high), std::logic_error);
  EXPECT_THROW(way.choose(true, node), std::logic_error);
  EXPECT_THROW(number.set(2), std::logic_error);
  EXPECT_THROW(g.clear(), std::logic_error);
  EXPECT_THROW(g.set(graph_order::arrival), std::logic_error);
  EXPECT_THROW(g.last_run(), std::logic_error);
  goes_on = true;
  other.join();
  EXPECT_EQ(g.size(), 3u);
  g.run(with(pool));
}

TEST_P(task_graph_on, is_changed_between_runs) {
  task_graph g;
  std::atomic<int> ran{0};
  auto before = g.emplace([&] { ++ran; });
  for (int nodes = 1; nodes <= 100; ++nodes) {
    ran = 0;
    g.run(with(pool));
    ASSERT_EQ(ran, nodes);
    const auto next = g.emplace([&] { ++ran; });
    if (nodes % 2 == 0) before.precede(next);
    before = next;
  }
}

TEST_P(task_graph_on, is_moved_with_its_nodes) {
  task_graph g;
  const auto node = g.emplace([] { return 1; });
  task_graph moved{std::move(g)};
  const auto more = moved.emplace([](int v) { return v + 1; }, node);
  moved.run(with(pool));
  EXPECT_EQ(more.get(), 2);
  task_graph other;
  other.emplace([] {});
  other = std::move(moved);
  EXPECT_EQ(other.size(), 2u);
  other.run(with(pool));
  EXPECT_EQ(more.get(), 2);
}

TEST_P(task_graph_on, is_moved_while_a_task_runs_it) {
  task_graph g;
  std::atomic<bool> begun{false}, goes_on{false};
  std::atomic<int> ran{0};
  const auto first = g.emplace([&] {
    begun = true;
    wait_for(goes_on);
  });
  first.precede(g.emplace([&] { ++ran; }));
  join_handle<> runs = spawn(pool, run_in_task(g, with(pool)));
  wait_for(begun);
  task_graph moved{std::move(g)};
  goes_on = true;
  block_on(std::move(runs));
  moved.run(with(pool));
  EXPECT_EQ(ran, 2);
}

/// Counts those that are alive.
struct living {
  static inline std::atomic<int> count{0};
  living() { ++count; }
  living(const living&) { ++count; }
  ~living() { --count; }
};

TEST_P(task_graph_on, clear_destroys_functions_and_results) {
  task_graph g;
  for (int round = 0; round < 5; ++round) {
    auto before = g.emplace([mine = living{}] { return living{}; });
    for (int i = 0; i < 200; ++i)
      before = g.emplace([mine = living{}](const living& its) { return its; }, before);
    g.run(with(pool));
    EXPECT_EQ(living::count, 402);
    g.clear();
    EXPECT_EQ(living::count, 0);
    EXPECT_EQ(g.size(), 0u);
    g.run(with(pool));
  }
  g.emplace([mine = living{}] {});
  g = task_graph{};
  EXPECT_EQ(living::count, 0);
}

TEST_P(task_graph_on, run_n_and_run_until_repeat_it) {
  task_graph g;
  int ran = 0;
  g.emplace([&] { ++ran; });
  g.run_n(5);
  EXPECT_EQ(ran, 5);
  g.run_until([&] { return ran == 8; });
  EXPECT_EQ(ran, 8);
  g.run_until([] { return true; });
  EXPECT_EQ(ran, 9) << "it is asked after a run";
}

TEST_P(task_graph_on, nodes_fork_and_block) {
  task_graph g;
  std::atomic<long> sum{0};
  std::atomic<bool> is_set{false};
  g.emplace([&] { blocking([&] { wait_for(is_set); }); });
  const auto last = g.emplace([&] { is_set = true; });
  for (int i = 0; i < 20; ++i) {
    const auto node = g.emplace([&] { parallel_for(0, 1000, [&](int k) { sum += k; }); });
    node.precede(last);
  }
  for (int run = 1; run <= 10; ++run) {
    is_set = false;
    g.run(with(pool));
    EXPECT_EQ(sum, run * 20 * 499'500L);
  }
}

// So a node may hold a lock while it waits for what it forked.
TEST_P(task_graph_on, a_thread_begins_no_other_node_inside_a_join_of_one) {
  static thread_local int nodes_here = 0;
  task_graph g;
  std::atomic<int> nested{0};
  std::atomic<long> sum{0};
  const auto root = g.emplace([] {});
  for (int i = 0; i < 60; ++i) {
    const auto node = g.emplace([&] {
      nested += nodes_here != 0;
      ++nodes_here;
      parallel_for(with(grain_items{1}), 0, 50, [&](int k) { sum += k; });
      --nodes_here;
    });
    root.precede(node);
    node.precede(g.emplace([&] { nested += nodes_here != 0; }));
  }
  for (int run = 1; run <= 30; ++run) {
    g.run(with(pool));
    ASSERT_EQ(sum, run * 60 * 1225L);
  }
  EXPECT_EQ(nested, 0);
}

// The thread that blocks has made its siblings ready: other threads run them.
TEST(task_graph, siblings_of_a_node_that_waits_without_a_word_run_elsewhere) {
  thread_pool pool{{.workers = 2}};
  task_graph g;
  std::atomic<int> ran{0};
  const auto root = g.emplace([] {});
  for (int i = 0; i < 9; ++i) {
    const auto node = g.emplace([&] {
      ++ran;
      while (ran < 2) std::this_thread::yield();
    });
    root.precede(node);
  }
  g.run(with(pool));
  EXPECT_EQ(ran, 9);
}

}  // namespace
TEST(graph_node, of_no_node_is_false_until_it_is_assigned) {
  filch::task_graph g;
  filch::graph_node<int> last;
  EXPECT_FALSE(last);
  last = g.emplace([] { return 4; });
  EXPECT_TRUE(last);
  g.run();
  EXPECT_EQ(last.get(), 4);
}

}  // namespace filch
