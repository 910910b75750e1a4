// Nodes that belong to one thread, or to another pool.
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;

class graph_pinned : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_pinned, widths_of_graphs);

/// A chain of which every other node belongs to a thread.
struct zebra {
  task_graph g;
  std::thread::id owner = std::this_thread::get_id();
  std::atomic<int> ran{0}, wrong{0};

  explicit zebra(thread_queue& mine, int length = 50) {
    auto before = g.emplace([] {});
    for (int i = 0; i < length; ++i) {
      const auto next = g.emplace("pinned", [&] {
        ++ran;
        wrong += std::this_thread::get_id() != owner;
      });
      const auto free = g.emplace([&] { ++ran; });
      next.on(mine);
      before.precede(next);
      next.precede(free);
      before = free;
    }
  }
};

TEST_P(graph_pinned, run_on_their_thread_which_waits_in_run) {
  thread_queue mine;
  zebra z{mine};
  for (int run = 1; run <= 20; ++run) {
    z.g.run(with(pool));
    ASSERT_EQ(z.ran, 100 * run);
  }
  EXPECT_EQ(z.wrong, 0);
}

TEST_P(graph_pinned, run_on_their_thread_which_calls_run_until_or_run_pending) {
  thread_queue mine;
  zebra z{mine};
  for (const bool blocks : {true, false}) {
    z.ran = 0;
    std::atomic<bool> done{false};
    std::thread other{[&] {
      z.g.run(with(pool));
      done = true;
      mine.wake();
    }};
    if (blocks) mine.run_until([&] { return done.load(); });
    while (!done) {
      mine.run_pending();
      std::this_thread::yield();
    }
    other.join();
    EXPECT_EQ(z.ran, 100);
  }
  EXPECT_EQ(z.wrong, 0);
}

TEST_P(graph_pinned, run_on_their_thread_while_a_task_awaits_the_run) {
  thread_queue mine;
  zebra z{mine};
  std::atomic<bool> done{false};
  const auto go = [&]() -> task<> {
    co_await z.g.run_async(with(pool));
    done = true;
    mine.wake();
  };
  join_handle<> runs = spawn(pool, go());
  mine.run_until([&] { return done.load(); });
  block_on(std::move(runs));
  EXPECT_EQ(z.ran, 100);
  EXPECT_EQ(z.wrong, 0);
}

// What follows a pinned node is the pool's work, not that of the window's thread.
TEST_P(graph_pinned, nodes_that_follow_run_in_the_pool) {
  thread_queue mine;
  task_graph g;
  std::atomic<bool> done{false};
  std::atomic<int> here{0}, in_pool{0};
  const auto draw = g.emplace([] {});
  draw.on(mine);
  for (int i = 0; i < 10; ++i) {
    const auto follows = g.emplace([&, owner = std::this_thread::get_id()] {
      here += std::this_thread::get_id() == owner;
      in_pool += pool.is_current();
    });
    draw.precede(follows);
  }
  std::thread other{[&] {
    g.run(with(pool));
    done = true;
    mine.wake();
  }};
  mine.run_until([&] { return done.load(); });
  other.join();
  EXPECT_EQ(here, 0);
  EXPECT_EQ(in_pool, 10);
}

TEST_P(graph_pinned, belong_to_their_thread_in_loops_and_subgraphs) {
  thread_queue mine;
  task_graph g;
  std::atomic<int> ran{0}, wrong{0}, turns{0};
  const auto pinned = [&, owner = std::this_thread::get_id()] {
    ++ran;
    wrong += std::this_thread::get_id() != owner;
  };
  const auto begin = g.emplace([] {});
  const auto head = g.emplace(pinned);
  const auto inside = g.emplace([&](subgraph& s) {
    for (int i = 0; i < 3; ++i) s.emplace(pinned).on(mine);
  });
  const auto more = g.branch(
      "more", [&] { return ++turns < 10; }, inside);
  head.on(mine);
  begin.precede(head);
  head.precede(inside);
  more.choose(true, head);
  g.run(with(pool));
  EXPECT_EQ(ran, 40);
  EXPECT_EQ(wrong, 0);
}

TEST_P(graph_pinned, nodes_that_follow_are_dropped_with_the_pool) {
  thread_queue mine;
  thread_pool ends{{.workers = GetParam()}};
  task_graph g;
  std::atomic<bool> done{false};
  const auto stops = g.emplace([&] { ends.request_stop(); });
  stops.on(mine);
  const auto follows = g.emplace([] {});
  stops.precede(follows);
  std::thread other{[&] {
    EXPECT_THROW(g.run(with(ends)), pool_stopped);
    done = true;
    mine.wake();
  }};
  mine.run_until([&] { return done.load(); });
  other.join();
  EXPECT_EQ(follows.outcome(), node_outcome::cancelled);
}

TEST_P(graph_pinned, a_thread_that_never_comes_is_named_by_a_deadline) {
  task_graph g;
  std::atomic<bool> is_there{false}, goes{false};
  thread_queue* queue = nullptr;
  std::thread owner{[&] {
    thread_queue mine;
    queue = &mine;
    is_there = true;
    wait_for(goes);
  }};
  wait_for(is_there);
  const auto draw = g.emplace("draw", [] {});
  draw.on(*queue);
  const auto last = g.emplace([] {});
  draw.precede(last);
  // On a busy machine a short time is over before the node waits
  const auto is_named = [&](auto&& run) {
    std::string text;
    for (auto time = 10ms; time < 3s && !contains(text, "draw"); time *= 2)
      text = error_of<stopped>([&] { run(time); });
    EXPECT_TRUE(contains(text, "while its node draw waited for its thread")) << text;
    EXPECT_EQ(last.outcome(), node_outcome::cancelled);
  };
  is_named([&](auto time) { g.run(with(pool, time_limit{time})); });
  is_named([&](auto time) { pool.run([&] { g.run(with(time_limit{time})); }); });
  is_named([&](auto time) { block_on(pool, run_in_task(g, with(time_limit{time}))); });
  is_named([&](auto time) {
    std::stop_source source;
    const std::jthread stops{[&] {
      std::this_thread::sleep_for(time);
      source.request_stop();
    }};
    g.run(with(pool, source.get_token()));
  });
  {
    const thread_queue other;  // a thread that serves its own nodes waits for another one's
    is_named([&](auto time) { g.run(with(pool, time_limit{time})); });
  }
  task_graph outer;
  outer.emplace("part", g);
  is_named([&](auto time) { outer.run(with(pool, time_limit{time})); });
  goes = true;
  owner.join();
}

TEST_P(graph_pinned, a_task_that_is_asked_to_stop_leaves_a_thread_that_never_comes) {
  thread_queue never_served;
  task_graph g;
  g.emplace("draw", [] {}).on(never_served);
  std::atomic<bool> begun{false};
  g.emplace([&] { begun = true; });
  join_handle<> runs = spawn(pool, run_in_task(g, with(pool)));
  wait_for(begun);
  runs.cancel();
  EXPECT_THROW(block_on(std::move(runs)), thread_missing);
}

// Its thread has other work in the queue, and waits for another graph.
TEST_P(graph_pinned, a_thread_that_waits_for_one_graph_runs_nothing_of_another) {
  thread_queue mine;
  task_graph one, other;
  bool other_ran = false;
  int submitted = 0;
  std::atomic<bool> is_queued{false};
  other.emplace([&] { other_ran = true; }).on(mine);
  const auto first = one.emplace([&] { wait_for(is_queued); });
  const auto pinned = one.emplace([] {});
  pinned.on(mine).succeed(first);
  mine.submit([&] { ++submitted; });
  std::atomic<bool> done{false};
  std::thread runs_other{[&] {
    const auto go = [&]() -> task<> { co_await other.run_async(); };
    join_handle<> its = spawn(pool, go());
    std::this_thread::sleep_for(1ms);
    is_queued = true;
    block_on(std::move(its));
    done = true;
    mine.wake();
  }};
  one.run(with(pool));
  EXPECT_FALSE(other_ran);
  EXPECT_EQ(submitted, 0);
  mine.run_until([&] { return done.load(); });
  runs_other.join();
  EXPECT_TRUE(other_ran);
  EXPECT_EQ(submitted, 1);
}

TEST_P(graph_pinned, failures_of_pinned_nodes_come_out_of_run) {
  thread_queue mine;
  task_graph g;
  const auto bad = g.emplace([] { throw std::runtime_error("as the test wants"); });
  bad.on(mine);
  const auto last = g.emplace([] {});
  last.on(mine).succeed(bad);
  EXPECT_THROW(g.run(with(pool)), std::runtime_error);
  EXPECT_EQ(last.outcome(), node_outcome::cancelled);
}

TEST_P(graph_pinned, a_pinned_node_may_run_a_graph_with_pinned_nodes) {
  thread_queue mine;
  zebra z{mine, 5};
  task_graph g;
  g.emplace([&] { z.g.run(); }).on(mine);
  g.emplace([&] { z.g.size(); });
  g.run(with(pool));
  EXPECT_EQ(z.ran, 10);
  EXPECT_EQ(z.wrong, 0);
}

// -------------------------------------------------------------------------------------------------
// other pools
TEST_P(graph_pinned, nodes_of_another_pool_run_there_and_those_that_follow_here) {
  thread_pool other{{.workers = 2}};
  task_graph g;
  std::atomic<int> there{0}, here{0};
  auto before = g.emplace([] {});
  for (int i = 0; i < 50; ++i) {
    const auto away = g.emplace([&] { there += other.is_current(); });
    const auto back = g.emplace([&] { here += pool.is_current(); });
    away.on(other);
    before.precede(away);
    away.precede(back);
    before = back;
  }
  const auto task_there = g.emplace([&]() -> task<> {
    there += other.is_current();
    co_await co::yield();
    there += other.is_current();
  });
  task_there.on(other);
  g.run(with(pool));
  EXPECT_EQ(there, 52);
  EXPECT_EQ(here, 50);
}

TEST_P(graph_pinned, a_pool_that_was_stopped_ends_the_run) {
  thread_pool other{{.workers = 1}};
  task_graph g;
  const auto away = g.emplace([] {});
  away.on(other);
  const auto last = g.emplace([] {});
  away.precede(last);
  other.request_stop();
  EXPECT_THROW(g.run(with(pool)), pool_stopped);
  EXPECT_EQ(last.outcome(), node_outcome::cancelled);
}

}  // namespace
}  // namespace filch
