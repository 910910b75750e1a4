// Graphs under one schedule after another.
#include <filch/co.hpp>
#include <filch/fork.hpp>
#include <filch/graph.hpp>
#include <filch/sync.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>

namespace filch::inline v0_2::testing {
namespace {

using namespace std::chrono_literals;

options many(unsigned seeds) { return {.seeds = seeds, .most_steps = 50'000}; }

/// A value that a node leaves for those that come after it.
struct count {
  shared<int> value{"count", 0};
  void add() { value.write(value.read() + 1); }
};

TEST(graph_schedules, a_diamond_ends_in_order) {
  for (const strategy how : {strategy::any, strategy::steal_everything, strategy::steal_nothing}) {
    expect_no_failure(
        [] {
          thread_pool pool{{.workers = 2}};
          task_graph g;
          count left, right;
          const auto top = g.emplace([] { return 1; });
          const auto l = g.emplace([&](const int& v) { left.add(), left.value.write(v + 1); }, top);
          const auto r =
              g.emplace([&](const int& v) { right.add(), right.value.write(v + 2); }, top);
          const auto bottom = g.emplace([&] { return left.value.read() + right.value.read(); });
          bottom.succeed(l, r);
          for (int run = 0; run < 2; ++run) {
            g.run(with(pool));
            check(bottom.get() == 5, "the last node finds what all have left");
          }
        },
        {.seeds = 1000, .who_goes_on = how, .most_steps = 50'000});
  }
}

TEST(graph_schedules, several_layers_run_each_node_once) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        task_graph g;
        constexpr int side = 4;
        std::optional<count> cells[side * side];
        std::optional<graph_node<>> nodes[side * side];
        for (int i = 0; i < side * side; ++i) {
          cells[i].emplace();
          nodes[i] = g.emplace([&, i] { cells[i]->add(); });
          if (i >= side) nodes[i - side]->precede(*nodes[i]);
          if (i % side != 0) nodes[i - 1]->precede(*nodes[i]);
        }
        for (int run = 1; run <= 2; ++run) {
          g.run(with(pool));
          for (const auto& each : cells) check(each->value.read() == run, "each runs once");
        }
      },
      many(1000));
}

TEST(graph_schedules, a_thread_begins_no_other_node_inside_a_join_of_one) {
  for (const strategy how : {strategy::any, strategy::steal_everything}) {
    expect_no_failure(
        [] {
          static thread_local int nodes_here;
          nodes_here = 0;
          thread_pool pool{{.workers = 2}};
          task_graph g;
          const auto root = g.emplace([] {});
          for (int i = 0; i < 3; ++i)
            root.precede(g.emplace([&] {
              check(nodes_here == 0, "no node inside another");
              ++nodes_here;
              const auto one = [] { point("forked"); };
              const auto two = [&] { join(one, one); };
              join(two, two);
              --nodes_here;
            }));
          g.run(with(pool));
        },
        {.seeds = 1000, .who_goes_on = how, .most_steps = 50'000});
  }
}

TEST(graph_schedules, a_loop_repeats_all_of_its_nodes) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        task_graph g;
        count left, right;
        int turns = 0;
        const auto begin = g.emplace([] {});
        const auto head = g.emplace([] {});
        const auto l = g.emplace([&] { left.add(); }), r = g.emplace([&] { right.add(); });
        const auto more = g.branch("more", [&] {
          ++turns;
          check(left.value.read() == turns && right.value.read() == turns, "both ran this turn");
          return turns % 3 != 0;
        });
        begin.precede(head);
        head.precede(l, r);
        more.succeed(l, r);
        more.choose(true, head);
        g.run(with(pool));
        g.run(with(pool));
        check(turns == 6, "each run has three turns");
      },
      many(1000));
}

TEST(graph_schedules, a_subgraph_ends_before_what_follows) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        task_graph g;
        count inside, beside;
        const auto makes = g.emplace([&](subgraph& s) {
          const auto first = s.emplace([&] { inside.add(); });
          first.precede(s.emplace([&](subgraph& below) { below.emplace([&] { inside.add(); }); }));
        });
        const auto other = g.emplace([&] { beside.add(); });
        const auto last = g.emplace([&] { return inside.value.read() * 10 + beside.value.read(); });
        last.succeed(makes, other);
        g.run(with(pool));
        check(last.get() == 21, "all of it has ended");
        g.run(with(pool));
        check(last.get() == 42, "also the second time");
      },
      many(1000));
}

TEST(graph_schedules, a_failure_leaves_the_run_after_all_has_ended) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        task_graph g;
        count running;
        bool fails = true;
        const auto root = g.emplace([] {});
        for (int i = 0; i < 3; ++i)
          root.precede(g.emplace([&, i] {
            if (i != 1 && fails) throw i;
            running.value.write(1);
            point("runs");
            running.value.write(0);
          }));
        try {
          g.run(with(pool));
          check(false, "the failure is told");
        } catch (const int thrown) {
          check(thrown == 0 || thrown == 2, "it is one of them");
        }
        check(running.value.read() == 0, "no node runs on");
        fails = false;
        g.run(with(pool));
      },
      many(1000));
}

task<> run_in_task(task_graph& g, algo::settings how) { co_await g.run_async(std::move(how)); }

TEST(graph_schedules, a_task_awaits_a_run) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        task_graph g;
        count ran;
        const auto root = g.emplace([&] { ran.add(); });
        root.precede(g.emplace([] {}), g.emplace([]() -> task<> { co_await co::yield(); }));
        block_on(pool, run_in_task(g, with(pool)));
        block_on(pool, run_in_task(g, {}));
        check(ran.value.read() == 2, "both runs have ended");
      },
      many(1000));
}

TEST(graph_schedules, a_task_that_awaits_a_run_is_asked_to_stop) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        task_graph g;
        count running;
        auto before = g.emplace([] {});
        for (int i = 0; i < 3; ++i) {
          const auto next = g.emplace([&] {
            running.value.write(1);
            point("runs");
            running.value.write(0);
          });
          before.precede(next);
          before = next;
        }
        join_handle<> runs = spawn(pool, run_in_task(g, with(pool)));
        nap(std::chrono::microseconds(seed() % 7));
        runs.cancel();
        try {
          block_on(std::move(runs));
        } catch (const stopped&) {
        } catch (const co::cancelled&) {
        }
        check(running.value.read() == 0, "no node runs on");
      },
      many(1500));
}

TEST(graph_schedules, a_graph_is_destroyed_while_a_task_awaits_its_run) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        std::optional<task_graph> g;
        g.emplace();
        count ran;
        async_event begun;
        const auto first = g->emplace([&] { begun.set(); });
        first.precede(g->emplace([&] { ran.add(); }));
        join_handle<> runs = spawn(pool, run_in_task(*g, with(pool)));
        wait(begun.wait());
        g.reset();
        check(ran.value.read() == 1, "the run has ended");
        block_on(std::move(runs));
      },
      many(1500));
}

TEST(graph_schedules, a_pool_is_stopped_while_a_task_awaits_a_run) {
  expect_no_failure(
      [] {
        thread_pool home{{.workers = 1}}, pool{{.workers = 2}};
        task_graph g;
        count running;
        const auto first = g.emplace([] {});
        for (int i = 0; i < 2; ++i) first.precede(g.emplace([&] { point("runs"); }));
        first.precede(g.emplace([]() -> task<> { co_await co::yield(); }));
        join_handle<> runs = spawn(home, run_in_task(g, with(pool)));
        nap(std::chrono::microseconds(seed() % 7));
        pool.request_stop();
        try {
          block_on(std::move(runs));
        } catch (const pool_stopped&) {
        }
        g.clear();
      },
      many(1500));
}

// The thread that begins the run is about to look at the graph while its last node ends elsewhere.
TEST(graph_schedules, a_graph_in_a_frame_ends_with_it) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 1}}, other{{.workers = 1}};
        const auto once = [&]() -> task<> {
          task_graph g;
          g.emplace([] {}).on(other);
          co_await g.run_async(with(pool));
        };
        block_on(pool, once());
        block_on(other, once());
      },
      many(1000));
}

}  // namespace
}  // namespace filch::testing
