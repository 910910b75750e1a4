// Graphs on threads with a rounding mode of their own, on threads that run alone or are watched,
// and in a child process.
#include <filch/base/sanitized_test.hpp>
#include <filch/filch.hpp>
#include <filch/graph/graph_on_test.hpp>
#include <filch/span/spent_time_test.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cfenv>
#include <chrono>
#include <thread>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;

class graph_surroundings : public graph_on {};
INSTANTIATE_TEST_SUITE_P(workers, graph_surroundings, widths_of_graphs);

TEST_P(graph_surroundings, nodes_round_as_the_caller_of_the_run_does) {
  thread_pool other{{.workers = 1}};
  thread_queue mine;
  graph_limit one{1};
  task_graph g;
  std::atomic<int> up{0};
  const auto looks = [&] { up += std::fegetround() == FE_UPWARD; };
  const auto root = g.emplace(looks);
  const auto makes = g.emplace([&](subgraph& s) {
    looks();
    s.emplace(looks);
  });
  root.precede(makes);
  for (int i = 0; i < 20; ++i) {
    const auto node = g.emplace(looks);
    root.precede(node);
    if (i % 5 == 0) node.on(other);
    if (i % 5 == 1) node.on(mine);
    if (i % 5 == 2) node.limited_by(one);
    node.precede(g.emplace(looks));
  }
  std::fesetround(FE_UPWARD);
  g.run(with(pool));
  EXPECT_EQ(up, 43);
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  up = 0;
  g.run(with(pool));
  EXPECT_EQ(up, 0);
}

TEST_P(graph_surroundings, nodes_of_an_awaited_run_round_alike) {
  thread_pool other{{.workers = GetParam()}};
  task_graph g;
  std::atomic<int> up{0};
  const auto looks = [&] { up += std::fegetround() == FE_UPWARD; };
  const auto root = g.emplace(looks);
  for (int i = 0; i < 20; ++i) root.precede(g.emplace(looks));
  std::fesetround(FE_UPWARD);
  block_on(pool, run_in_task(g, with(other)));
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(up, 21);
}

/// A graph with all that leaves a worker.
void run_a_graph_of_many_kinds(thread_pool& in) {
  graph_limit two{2};
  task_graph g;
  std::atomic<int> ran{0};
  int turns = 0;
  const auto root = g.emplace([&] { ++ran; });
  for (int i = 0; i < 10; ++i) {
    const auto node = g.emplace([&] { ++ran; });
    node.limited_by(two);
    root.precede(node);
  }
  const auto waits = g.emplace([&]() -> task<> {
    co_await co::yield();
    ++ran;
  });
  const auto makes = g.emplace([&](subgraph& s) { s.emplace([&] { ++ran; }); });
  const auto more = g.branch(
      "more", [&] { return ++turns < 3; }, makes);
  root.precede(waits, makes);
  more.choose(true, makes);
  g.run(with(in));
  EXPECT_EQ(ran, 1 + 10 + 1 + 3);
}

// More threads than the tables of a pool hold.
TEST(graph_crowd, a_thread_that_runs_alone_runs_a_graph) {
  thread_pool pool{{.workers = 2}};
  const unsigned most = pool.worker_capacity();
  std::barrier all{most};
  std::atomic<unsigned> alone{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < most; ++t) {
    threads.emplace_back([&] {
      pool.run([&] {
        all.arrive_and_wait();
        if (worker_index() == no_worker) {
          ++alone;
          run_a_graph_of_many_kinds(pool);
        }
        all.arrive_and_wait();
      });
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_GT(alone, 0u);
}

TEST(graph_crowd, a_run_is_watched_by_an_analysis) {
  task_graph g;
  int ran = 0;
  const auto root = g.emplace([&] { ++ran; });
  for (int i = 0; i < 20; ++i) root.precede(g.emplace([&] { ++ran; }));
  const analysis::result found = analyze([&] { g.run(); }, span::on_spent_time(1));
  EXPECT_EQ(ran, 21);
  EXPECT_GE(found.work_ns, 0);
  analyze([&] { run_a_graph_of_many_kinds(pool_here()); }, span::on_spent_time(1));
}

// Another thread may hold a lock of limits or queues at that moment.
TEST(graph_crowd, a_child_process_runs_graphs_of_its_own) {
  if (base::is_sanitized) GTEST_SKIP() << "a sanitizer's memory may be locked in a child";
  thread_pool pool{{.workers = 2}};
  thread_queue mine;
  std::atomic<bool> is_over{false};
  std::thread churns{[&] {
    graph_limit one{1};
    task_graph g;
    for (int i = 0; i < 20; ++i) g.emplace([] {}).limited_by(one);
    while (!is_over) {
      g.run(with(pool));
      mine.submit([] {});
      mine.wake();
    }
  }};
  for (int i = 0; i != 200 && !HasFailure(); ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(10);
      thread_pool its_own{{.workers = 1}};
      task_graph g;
      graph_limit one{1};
      int ran = 0;
      for (int k = 0; k < 4; ++k) {
        const auto node = g.emplace([&] { ++ran; });
        node.limited_by(one);
        if (k % 2 == 0) node.on(mine);
      }
      g.run(with(its_own));
      ::_exit(ran == 4 ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    mine.run_pending();
  }
  is_over = true;
  churns.join();
}

}  // namespace
}  // namespace filch
