// How runs fail and are stopped.
#include <filch/graph/graph_on_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;

class graph_runs : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_runs, widths_of_graphs);

TEST_P(graph_runs, a_failure_cancels_what_has_not_begun_and_the_graph_runs_again) {
  task_graph g;
  bool fails = true;
  int ran = 0;
  const auto first = g.emplace([] {});
  const auto bad = g.emplace("bad", [&] {
    if (fails) throw std::runtime_error("as the test wants");
  });
  const auto last = g.emplace([&] { ++ran; });
  first.precede(bad);
  bad.precede(last);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(g.run(with(pool)), std::runtime_error);
    EXPECT_EQ(first.outcome(), node_outcome::ran);
    EXPECT_EQ(bad.outcome(), node_outcome::failed);
    EXPECT_EQ(last.outcome(), node_outcome::cancelled);
    EXPECT_EQ(ran, 0);
  }
  fails = false;
  g.run(with(pool));
  EXPECT_EQ(ran, 1);
}

// All of them have begun before one fails.
TEST_P(graph_runs, of_several_failures_that_of_the_node_added_first_wins) {
  task_graph g;
  const unsigned count = GetParam();
  std::atomic<unsigned> begun{0};
  for (unsigned i = 0; i < count; ++i)
    g.emplace([&, i] {
      ++begun;
      while (begun < count) std::this_thread::yield();
      throw i;
    });
  for (int run = 0; run < 20; ++run) {
    begun = 0;
    try {
      g.run(with(pool));
      ADD_FAILURE() << "nothing was thrown";
    } catch (const unsigned thrown) {
      EXPECT_EQ(thrown, 0u);
    }
  }
}

TEST_P(graph_runs, nothing_begins_after_a_failure) {
  task_graph g;
  std::atomic<bool> failed{false};
  std::atomic<int> late{0};
  const auto root = g.emplace([] {});
  const auto bad = g.emplace([&] { throw std::runtime_error("as the test wants"); });
  root.precede(bad);
  const auto later = g.emplace([&] { failed = true; });
  bad.precede(later);
  for (int i = 0; i < 100; ++i) {
    const auto node = g.emplace([&] { late += failed; });
    later.precede(node);
  }
  EXPECT_THROW(g.run(with(pool)), std::runtime_error);
  EXPECT_EQ(late, 0);
  EXPECT_FALSE(failed);
}

TEST_P(graph_runs, a_stop_token_cancels_what_has_not_begun) {
  task_graph g;
  std::stop_source source;
  const auto first = g.emplace([&] { source.request_stop(); });
  const auto last = g.emplace([] {});
  first.precede(last);
  EXPECT_THROW(g.run(with(pool, source.get_token())), stopped);
  EXPECT_EQ(first.outcome(), node_outcome::ran);
  EXPECT_EQ(last.outcome(), node_outcome::cancelled);
  EXPECT_THROW(g.run(with(pool, source.get_token())), stopped) << "before it begins";
  g.run(with(pool));
  EXPECT_EQ(last.outcome(), node_outcome::ran);
}

TEST_P(graph_runs, a_deadline_cancels_what_has_not_begun) {
  task_graph g;
  const auto first = g.emplace([] { std::this_thread::sleep_for(20ms); });
  const auto last = g.emplace([] {});
  first.precede(last);
  EXPECT_THROW(g.run(with(pool, time_limit{5ms})), stopped);
  EXPECT_NE(last.outcome(), node_outcome::ran);  // on a busy machine not even the first one begins
  g.run(with(pool, deadline{std::chrono::steady_clock::now() + 1h}));
  EXPECT_EQ(last.outcome(), node_outcome::ran);
}

TEST_P(graph_runs, a_failure_comes_before_a_stop) {
  task_graph g;
  std::stop_source source;
  const auto first = g.emplace([&] {
    source.request_stop();
    throw std::runtime_error("as the test wants");
  });
  first.precede(g.emplace([] {}));
  EXPECT_THROW(g.run(with(pool, source.get_token())), std::runtime_error);
}

TEST_P(graph_runs, in_a_pool_that_was_stopped_none_begins) {
  thread_pool other{{.workers = GetParam()}};
  task_graph g;
  int ran = 0;
  g.emplace([&] { ++ran; });
  other.request_stop();
  EXPECT_THROW(g.run(with(other)), pool_stopped);
  EXPECT_THROW(block_on(pool, run_in_task(g, with(other))), pool_stopped);
  EXPECT_EQ(ran, 0);
  g.run(with(pool));
  EXPECT_EQ(ran, 1);
}

// -------------------------------------------------------------------------------------------------
// nodes that are coroutines
TEST_P(graph_runs, a_coroutine_waits_without_a_worker) {
  task_graph g;
  async_event all_there;
  std::atomic<int> waiting{0};
  const auto sum = g.emplace([&] { return waiting.load(); });
  for (int i = 0; i < 50; ++i) {
    const auto waits = g.emplace([&]() -> task<int> {
      if (++waiting == 50) all_there.set();
      co_await all_there.wait();
      co_return 1;
    });
    waits.precede(sum);
  }
  for (int run = 1; run <= 5; ++run) {
    waiting = 0;
    all_there.reset();
    g.run(with(pool));
    EXPECT_EQ(sum.get(), 50);
  }
}

TEST_P(graph_runs, a_coroutine_takes_and_gives_results) {
  task_graph g;
  const auto made = g.emplace([] { return std::make_unique<int>(4); });
  const auto doubled = g.emplace(
      [](std::unique_ptr<int> mine) -> task<std::unique_ptr<int>> {
        co_await co::yield();
        *mine *= 2;
        co_return std::move(mine);
      },
      made);
  const auto last = g.emplace([](std::unique_ptr<int> mine) { return *mine; }, doubled);
  for (int i = 0; i < 3; ++i) {
    g.run(with(pool));
    EXPECT_EQ(last.get(), 8);
  }
}

TEST_P(graph_runs, a_coroutine_that_fails_cancels_the_others) {
  task_graph g;
  bool yields = false;
  const auto bad = g.emplace([&]() -> task<int> {
    if (yields) co_await co::yield();
    throw std::runtime_error("as the test wants");
  });
  const auto last = g.emplace([](int) {}, bad);
  for (int i = 0; i < 4; ++i) {
    yields = i % 2 != 0;
    EXPECT_THROW(g.run(with(pool)), std::runtime_error);
    EXPECT_EQ(bad.outcome(), node_outcome::failed);
    EXPECT_EQ(last.outcome(), node_outcome::cancelled);
  }
}

TEST_P(graph_runs, what_a_coroutine_was_called_with_is_gone_when_the_run_returns) {
  task_graph g;
  const auto made = g.emplace([] { return std::make_shared<int>(1); });
  const auto copied = g.emplace([](std::shared_ptr<int> its) { return its; }, made);
  const auto waits =
      g.emplace([](std::shared_ptr<int>) -> task<> { co_await co::yield(); }, copied);
  made.precede(g.emplace([](const std::shared_ptr<int>&) {}, made));
  for (int i = 0; i < 50; ++i) {
    g.run(with(pool));
    ASSERT_LE(made.get().use_count(), 2);
  }
  EXPECT_EQ(waits.outcome(), node_outcome::ran);
}

// A pool that was asked to stop drops a task that has not begun.
TEST_P(graph_runs, a_coroutine_that_never_begins_ends_with_the_pool) {
  for (int trial = 0; trial < 10; ++trial) {
    thread_pool ends{{.workers = 1}};
    std::atomic<bool> is_busy{false}, goes_on{false};
    ends.submit([&] {
      is_busy = true;
      wait_for(goes_on);
    });
    wait_for(is_busy);
    task_graph g;
    const auto stops = g.emplace([&] {
      ends.request_stop();
      goes_on = true;
    });
    const auto never = g.emplace([]() -> task<> { co_return; });
    EXPECT_THROW(g.run(with(ends)), pool_stopped);
    EXPECT_EQ(stops.outcome(), node_outcome::ran);
    EXPECT_EQ(never.outcome(), node_outcome::failed);
    g.clear();
  }
}

}  // namespace
}  // namespace filch
