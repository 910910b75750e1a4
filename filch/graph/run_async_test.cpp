// Runs that a task awaits.
#include <filch/graph/graph_on_test.hpp>
#include <filch/stop.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;

class graph_awaited : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_awaited, widths_of_graphs);

TEST_P(graph_awaited, a_task_goes_on_after_the_run) {
  task_graph g;
  std::atomic<int> ran{0};
  const auto root = g.emplace([&] { ++ran; });
  for (int i = 0; i < 50; ++i) root.precede(g.emplace([&] { ++ran; }));
  for (int run = 1; run <= 50; ++run) {
    block_on(pool, run_in_task(g, {}));
    ASSERT_EQ(ran, 51 * run);
  }
}

TEST_P(graph_awaited, several_graphs_run_side_by_side) {
  task_graph graphs[5];
  std::atomic<int> ran{0};
  for (task_graph& each : graphs)
    for (int i = 0; i < 20; ++i) each.emplace([&] { ++ran; });
  const auto all = [&]() -> task<> {
    co::scope runs;
    for (task_graph& each : graphs) runs.spawn(run_in_task(each, {}));
    co_await runs.join();
  };
  for (int run = 1; run <= 20; ++run) {
    block_on(pool, all());
    ASSERT_EQ(ran, 100 * run);
  }
}

TEST_P(graph_awaited, a_run_in_another_pool_comes_back) {
  thread_pool other{{.workers = 1}};
  task_graph g;
  bool there = false, back = false;
  g.emplace([&] { there = other.is_current(); });
  const auto go = [&]() -> task<> {
    co_await g.run_async(with(other));
    back = pool.is_current();
  };
  block_on(pool, go());
  EXPECT_TRUE(there && back);
}

TEST_P(graph_awaited, a_failure_comes_out_of_the_await) {
  task_graph g;
  bool fails = true;
  const auto bad = g.emplace([&] {
    if (fails) throw std::runtime_error("as the test wants");
  });
  EXPECT_THROW(block_on(pool, run_in_task(g, {})), std::runtime_error);
  EXPECT_EQ(bad.outcome(), node_outcome::failed);
  const auto cycle = g.emplace([] {});
  cycle.precede(bad);
  bad.precede(cycle);
  EXPECT_THROW(block_on(pool, run_in_task(g, {})), std::logic_error);
  g.clear();
  fails = false;
  block_on(pool, run_in_task(g, {}));
}

TEST_P(graph_awaited, a_stop_request_to_the_task_cancels_the_run) {
  task_graph g;
  std::atomic<bool> begun{false}, goes_on{false};
  const auto first = g.emplace([&] {
    begun = true;
    wait_for(goes_on);
  });
  const auto last = g.emplace([] {});
  first.precede(last);
  join_handle<> runs = spawn(pool, run_in_task(g, with(pool)));
  wait_for(begun);
  runs.cancel();
  std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(runs.is_finished()) << "a node is running";
  goes_on = true;
  EXPECT_THROW(block_on(std::move(runs)), stopped);
  EXPECT_EQ(first.outcome(), node_outcome::ran);
  EXPECT_EQ(last.outcome(), node_outcome::cancelled);
  g.run(with(pool));
  EXPECT_EQ(last.outcome(), node_outcome::ran);
}

TEST_P(graph_awaited, options_stop_it_too) {
  task_graph g;
  const auto first = g.emplace([] { std::this_thread::sleep_for(10ms); });
  first.precede(g.emplace([] {}));
  EXPECT_THROW(block_on(pool, run_in_task(g, with(time_limit{2ms}))), stopped);
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(block_on(pool, run_in_task(g, with(source.get_token()))), stopped);
  block_on(pool, run_in_task(g, with(std::stop_source{}.get_token())));
}

// The pool drops what has not begun: the run ends, and the task does not go on before.
TEST_P(graph_awaited, a_pool_that_is_stopped_ends_the_run) {
  for (int trial = 0; trial < 20; ++trial) {
    thread_pool ends{{.workers = 1}};
    std::atomic<bool> is_busy{false}, goes_on{false};
    ends.submit([&] {
      is_busy = true;
      wait_for(goes_on);
    });
    wait_for(is_busy);
    task_graph g;
    std::atomic<int> running{0};
    for (int i = 0; i < 5; ++i)
      g.emplace([&] {
        ++running;
        std::this_thread::sleep_for(100us);
        --running;
      });
    join_handle<> runs = spawn(pool, run_in_task(g, with(ends)));
    std::this_thread::sleep_for(100us * trial);
    ends.request_stop();
    goes_on = true;
    EXPECT_THROW(block_on(std::move(runs)), pool_stopped);
    EXPECT_EQ(running, 0);
    g.run(with(pool));
  }
}

TEST_P(graph_awaited, a_pool_that_stops_in_time_ends_the_run) {
  for (int trial = 0; trial < 10; ++trial) {
    std::optional<thread_pool> ends;
    ends.emplace(pool_options{.workers = GetParam()});
    task_graph g;
    std::atomic<int> running{0};
    auto before = g.emplace([] {});
    for (int i = 0; i < 50; ++i) {
      const auto next = g.emplace([&] {
        ++running;
        std::this_thread::sleep_for(100us);
        --running;
      });
      before.precede(next);
      before = next;
    }
    join_handle<> runs = spawn(*ends, run_in_task(g, with(*ends)));
    std::this_thread::sleep_for(200us);
    static_cast<void>(ends->stop(1ms, 10s));
    try {
      block_on(std::move(runs));
    } catch (const pool_stopped&) {
    } catch (const stopped&) {
    } catch (const co::cancelled&) {
    }
    EXPECT_EQ(running, 0);
    ends.reset();
    g.clear();
  }
}

// Its last thread and the awaiting task still look at it after the last node.
TEST_P(graph_awaited, a_graph_that_is_destroyed_waits_for_the_end_of_its_run) {
  for (int trial = 0; trial < 300; ++trial) {
    std::atomic<bool> begun{false}, ended{false};
    std::optional<task_graph> g;
    g.emplace();
    const auto first = g->emplace([&] { begun = true; });
    first.precede(g->emplace([&] {
      if (trial % 3 == 0) std::this_thread::sleep_for(20us);
      ended = true;
    }));
    join_handle<> runs = spawn(pool, run_in_task(*g, with(pool)));
    wait_for(begun);
    g.reset();
    EXPECT_TRUE(ended);
    block_on(std::move(runs));
  }
}

TEST_P(graph_awaited, a_task_that_was_never_awaited_begins_nothing) {
  task_graph g;
  int ran = 0;
  g.emplace([&] { ++ran; });
  { const task<> dropped = g.run_async(with(pool)); }
  g.run(with(pool));
  EXPECT_EQ(ran, 1);
}

// The graph ends with the frame of the task that awaits it, while the thread that began the run may
// still be about to look for more.
TEST_P(graph_awaited, a_graph_in_the_frame_of_its_task_may_end_with_it) {
  thread_pool other{{.workers = 2}};
  const auto once = [&]() -> task<> {
    task_graph g;
    int ran = 0;
    g.emplace([&] { ++ran; }).on(other);
    co_await g.run_async(with(pool));
    EXPECT_EQ(ran, 1);
  };
  for (int i = 0; i < 300; ++i) block_on(pool, once());
}

}  // namespace
}  // namespace filch
