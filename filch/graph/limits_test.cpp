// Limits on how many nodes run at once.
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;

class graph_limits : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_limits, widths_of_graphs);

/// Counts how many are in a place at once.
struct crowd {
  std::atomic<int> now{0}, most{0};
  void enter() {
    const int here = ++now;
    for (int seen = most; seen < here && !most.compare_exchange_weak(seen, here);) {
    }
  }
  void leave() { --now; }
};
struct [[nodiscard]] visit {
  explicit visit(crowd& where) : where_{where} { where_.enter(); }
  ~visit() { where_.leave(); }
  crowd& where_;
};

TEST(graph_limit, lets_at_least_one_in) {
  EXPECT_THROW(graph_limit{0}, std::invalid_argument);
  const graph_limit three{3};
  EXPECT_EQ(three.most(), 3u);
  EXPECT_EQ(three.in_use(), 0u);
}

TEST_P(graph_limits, are_never_exceeded) {
  for (const unsigned most : {1u, 2u, 3u}) {
    graph_limit limit{most};
    crowd inside;
    task_graph g;
    std::atomic<int> ran{0};
    for (int i = 0; i < 100; ++i)
      g.emplace([&] {
         const visit here{inside};
         ++ran;
         std::this_thread::sleep_for(5us);
       })
          .limited_by(limit)
          .limited_by(limit);
    for (int run = 1; run <= 3; ++run) {
      g.run(with(pool));
      EXPECT_EQ(ran, 100 * run);
      EXPECT_EQ(limit.in_use(), 0u);
    }
    EXPECT_LE(inside.most, static_cast<int>(most));
  }
}

TEST_P(graph_limits, two_that_are_named_in_opposite_orders_never_deadlock) {
  graph_limit a{1}, b{1}, c{2};
  crowd in_a, in_b, in_c;
  task_graph g;
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i) {
    g.emplace([&] {
       const visit one{in_a}, other{in_b};
       ++ran;
     })
        .limited_by(a)
        .limited_by(b);
    g.emplace([&] {
       const visit one{in_b}, other{in_a}, third{in_c};
       ++ran;
     })
        .limited_by(b)
        .limited_by(c)
        .limited_by(a);
    g.emplace([&] {
       const visit only{in_c};
       ++ran;
     }).limited_by(c);
  }
  for (int run = 1; run <= 5; ++run) {
    g.run(with(pool));
    ASSERT_EQ(ran, 300 * run);
  }
  EXPECT_EQ(in_a.most, 1);
  EXPECT_EQ(in_b.most, 1);
  EXPECT_LE(in_c.most, 2);
  EXPECT_EQ(a.in_use() + b.in_use() + c.in_use(), 0u);
}

TEST(graph_limit, waiting_nodes_run_in_the_order_in_which_they_came) {
  thread_pool pool{{.workers = 1}};
  graph_limit one{1};
  task_graph g;
  std::vector<int> came, ran;
  async_event held;
  const auto holder = g.emplace([&]() -> task<> { co_await held.wait(); });
  holder.limited_by(one);
  auto before = g.emplace([] {});
  for (int i = 0; i < 20; ++i) {
    const auto waits = g.emplace([&, i] { ran.push_back(i); });
    before.precede(waits);
    waits.limited_by(one);
    const auto next = g.emplace([&, i] { came.push_back(i); });
    before.precede(next);
    before = next;
  }
  before.precede(g.emplace([&] { held.set(); }));
  const auto root = g.emplace([] {});
  root.precede(holder);
  g.run(with(pool));
  EXPECT_EQ(came.size(), 20u);
  ASSERT_EQ(ran.size(), 20u);
  for (std::size_t i = 0; i < ran.size(); ++i) EXPECT_EQ(ran[i], static_cast<int>(i));
}

TEST(graph_limit, a_node_that_waits_for_two_is_not_overtaken_in_one) {
  thread_pool pool{{.workers = 1}};
  graph_limit a{1}, b{1};
  task_graph g;
  std::vector<char> ran;
  async_event held;
  const auto root = g.emplace([] {});
  const auto holder = g.emplace([&]() -> task<> { co_await held.wait(); });
  const auto first = g.emplace([] {}), second = g.emplace([] {});
  const auto both = g.emplace([&] { ran.push_back('2'); });
  const auto one = g.emplace([&] { ran.push_back('1'); });
  holder.limited_by(b);
  both.limited_by(a).limited_by(b);
  one.limited_by(a);
  root.precede(holder, first);
  first.precede(both, second);
  const auto third = g.emplace([] {});
  second.precede(one, third);
  third.precede(g.emplace([&] { held.set(); }));
  g.run(with(pool));
  EXPECT_EQ(ran, (std::vector{'2', '1'}));
}

// It leaves the queues of both of its limits, and one of them has room for the next.
TEST(graph_limit, a_node_that_gets_two_lets_go_on_those_behind_it) {
  thread_pool pool{{.workers = 1}};
  graph_limit a{2}, b{1};
  task_graph g;
  async_event held, behind_ran;
  const auto root = g.emplace([] {});
  const auto holder = g.emplace([&]() -> task<> { co_await held.wait(); });
  const auto first = g.emplace([] {}), second = g.emplace([] {});
  const auto both = g.emplace([&]() -> task<> { co_await behind_ran.wait(); });
  const auto behind = g.emplace([&] { behind_ran.set(); });
  holder.limited_by(b);
  both.limited_by(a).limited_by(b);
  behind.limited_by(a);
  root.precede(holder, first);
  first.precede(both, second);
  const auto third = g.emplace([] {});
  second.precede(behind, third);
  third.precede(g.emplace([&] { held.set(); }));
  g.run(with(pool));
  EXPECT_EQ(a.in_use() + b.in_use(), 0u);
}

TEST_P(graph_limits, are_returned_by_nodes_that_fail_or_are_cancelled) {
  graph_limit one{1};
  task_graph g;
  bool fails = true;
  std::atomic<int> ran{0};
  for (int i = 0; i < 20; ++i)
    g.emplace([&] {
       ++ran;
       if (fails) throw std::runtime_error("as the test wants");
     }).limited_by(one);
  for (int run = 0; run < 5; ++run) {
    EXPECT_THROW(g.run(with(pool)), std::runtime_error);
    EXPECT_EQ(one.in_use(), 0u);
  }
  EXPECT_EQ(ran, 5);
  fails = false;
  ran = 0;
  g.run(with(pool));
  EXPECT_EQ(ran, 20);
  std::stop_source source;
  g.emplace([&] { source.request_stop(); });
  EXPECT_THROW(g.run(with(pool, source.get_token())), stopped);
  EXPECT_EQ(one.in_use(), 0u);
}

TEST_P(graph_limits, are_held_by_coroutines_and_subgraphs_until_their_end) {
  graph_limit two{2};
  crowd inside;
  task_graph g;
  std::atomic<int> ran{0};
  for (int i = 0; i < 20; ++i) {
    g.emplace([&]() -> task<> {
       const visit here{inside};
       co_await co::yield();
       co_await sleep_for(10us);
       ++ran;
     }).limited_by(two);
    g.emplace([&](subgraph& s) {
       inside.enter();
       const auto first = s.emplace([&] { ++ran; });
       first.precede(s.emplace([&] { inside.leave(); }));
     }).limited_by(two);
  }
  for (int run = 1; run <= 3; ++run) {
    g.run(with(pool));
    EXPECT_EQ(ran, 40 * run);
  }
  EXPECT_LE(inside.most, 2);
  EXPECT_EQ(two.in_use(), 0u);
}

TEST_P(graph_limits, are_shared_by_graphs_that_run_side_by_side_in_two_pools) {
  graph_limit two{2}, one{1};
  crowd in_two, in_one;
  std::atomic<int> ran{0}, wrong{0};
  thread_pool other{{.workers = 2}};
  const auto run_graph = [&](thread_pool& in) {
    task_graph g;
    for (int i = 0; i < 60; ++i) {
      const auto node = g.emplace([&, i] {
        const visit here{in_two};
        if (i % 3 == 0) in_one.enter();
        wrong += !in.is_current();
        ++ran;
        if (i % 3 == 0) in_one.leave();
      });
      node.limited_by(two);
      if (i % 3 == 0) node.limited_by(one);
      node.precede(g.emplace([&] { wrong += !in.is_current(); }));
    }
    for (int i = 0; i < 10; ++i) g.run(with(in));
  };
  std::thread beside{[&] { run_graph(other); }}, in_same_pool{[&] { run_graph(pool); }};
  run_graph(pool);
  beside.join();
  in_same_pool.join();
  EXPECT_EQ(ran, 1800);
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(in_two.most, 2);
  EXPECT_EQ(in_one.most, 1);
}

// A thread that runs a graph may hold what a node of another graph needs.
TEST_P(graph_limits, a_thread_that_runs_a_graph_runs_no_node_of_another) {
  graph_limit one{1};
  std::mutex held;
  task_graph g, other;
  std::atomic<bool> holds{false}, is_waiting{false};
  const auto first = g.emplace([&] {
    holds = true;
    wait_for(is_waiting);
    std::this_thread::sleep_for(2ms);
  });
  first.limited_by(one);
  bool ran = false;
  other
      .emplace([&] {
        const std::lock_guard lock{held};
        ran = true;
      })
      .limited_by(one);
  std::thread waits{[&] {
    wait_for(holds);
    is_waiting = true;
    other.run(with(pool));
  }};
  {
    const std::lock_guard lock{held};
    g.run(with(pool));
  }
  waits.join();
  EXPECT_TRUE(ran);
}

// A run that is stopped ends when the limit is given back, not before.
TEST_P(graph_limits, a_node_that_waits_for_one_is_cancelled_when_it_gets_it) {
  graph_limit one{1};
  task_graph g, other;
  async_event held;
  std::atomic<bool> holds{false}, came{false};
  g.emplace([&]() -> task<> {
     holds = true;
     co_await held.wait();
   }).limited_by(one);
  const auto first = other.emplace([&] { came = true; });
  const auto waits = other.emplace([] {});
  waits.limited_by(one).succeed(first);
  join_handle<> its = spawn(pool, run_in_task(g, with(pool)));
  wait_for(holds);
  join_handle<> stopped_one = spawn(pool, run_in_task(other, with(pool)));
  wait_for(came);
  stopped_one.cancel();
  std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(stopped_one.is_finished());
  held.set();
  EXPECT_THROW(block_on(std::move(stopped_one)), stopped);
  EXPECT_EQ(waits.outcome(), node_outcome::cancelled);
  block_on(std::move(its));
  EXPECT_EQ(one.in_use(), 0u);
}

TEST_P(graph_limits, go_together_with_threads_pools_and_priorities) {
  thread_queue mine;
  thread_pool other{{.workers = 1}};
  graph_limit two{2};
  crowd inside;
  task_graph g;
  std::atomic<int> ran{0};
  for (int i = 0; i < 90; ++i) {
    const auto node = g.emplace([&] {
      const visit here{inside};
      ++ran;
    });
    node.limited_by(two);
    if (i % 3 == 0) node.on(mine);
    if (i % 3 == 1) node.on(other);
    if (i % 4 == 0) node.at(priority::high);
  }
  for (int run = 1; run <= 5; ++run) {
    g.run(with(pool));
    ASSERT_EQ(ran, 90 * run);
    ASSERT_EQ(two.in_use(), 0u);
  }
  EXPECT_LE(inside.most, 2);
}

TEST_P(graph_limits, a_graph_that_was_cleared_left_nothing_in_their_queues) {
  graph_limit one{1};
  task_graph g;
  for (int round = 0; round < 20; ++round) {
    int ran = 0;
    for (int i = 0; i < 10; ++i) g.emplace([&] { ++ran; }).limited_by(one);
    g.run(with(pool));
    ASSERT_EQ(ran, 10);
    g.clear();
  }
}

}  // namespace
}  // namespace filch
