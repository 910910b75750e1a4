// Limits, threads and other pools under one schedule after another.
#include <filch/co.hpp>
#include <filch/graph.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace filch::inline v0_2::testing {
namespace {

using namespace std::chrono_literals;

options many(unsigned seeds) { return {.seeds = seeds, .most_steps = 50'000}; }

/// A place for one at a time.
struct narrow {
  shared<int> inside{"inside", 0};
  void pass() {
    check(inside.read() == 0, "one at a time");
    inside.write(1);
    point("inside");
    inside.write(0);
  }
};

TEST(graph_special_schedules, a_limit_lets_one_in_at_a_time) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        graph_limit one{1};
        narrow place;
        task_graph g;
        shared<int> ran{"ran", 0};
        for (int i = 0; i < 4; ++i)
          g.emplace([&] {
             place.pass();
             ran.write(ran.read() + 1);
           }).limited_by(one);
        g.run(with(pool));
        g.run(with(pool));
        check(ran.read() == 8, "each node runs");
        check(one.in_use() == 0, "all have given it back");
      },
      many(1500));
}

TEST(graph_special_schedules, two_limits_in_opposite_orders_never_deadlock) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        graph_limit a{1}, b{1};
        narrow in_a, in_b;
        task_graph g;
        for (int i = 0; i < 2; ++i) {
          g.emplace([&] { in_a.pass(), in_b.pass(); }).limited_by(a).limited_by(b);
          g.emplace([&] { in_b.pass(), in_a.pass(); }).limited_by(b).limited_by(a);
          g.emplace([&] { in_a.pass(); }).limited_by(a);
        }
        g.run(with(pool));
        check(a.in_use() + b.in_use() == 0, "all have given them back");
      },
      many(1500));
}

TEST(graph_special_schedules, two_graphs_share_a_limit) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 1}}, other{{.workers = 1}};
        graph_limit one{1};
        narrow place;
        task_graph g, h;
        shared<int> ran{"ran", 0};
        for (task_graph* const each : {&g, &h})
          for (int i = 0; i < 2; ++i)
            each->emplace([&] {
                  place.pass();
                  ran.write(ran.read() + 1);
                })
                .limited_by(one);
        thread beside{"beside", [&] { h.run(with(other)); }};
        g.run(with(pool));
        beside.join();
        check(ran.read() == 4, "each node runs");
      },
      many(1500));
}

TEST(graph_special_schedules, a_limit_is_returned_by_failures_and_coroutines) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        graph_limit one{1};
        task_graph g;
        bool fails = true;
        for (int i = 0; i < 2; ++i) {
          g.emplace([&] {
             if (fails) throw std::runtime_error("as the test wants");
           }).limited_by(one);
          g.emplace([&]() -> task<> { co_await co::yield(); }).limited_by(one);
        }
        try {
          g.run(with(pool));
        } catch (const std::runtime_error&) {
        }
        check(one.in_use() == 0, "all have given it back");
        fails = false;
        g.run(with(pool));
      },
      many(1500));
}

TEST(graph_special_schedules, the_head_of_a_loop_waits_for_its_limit) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        graph_limit one{1};
        narrow place;
        task_graph g;
        int turns = 0;
        const auto begin = g.emplace([] {});
        const auto head = g.emplace([&] { place.pass(); });
        const auto more = g.branch(
            "more", [&] { return ++turns < 3; }, head);
        const auto beside = g.emplace([&] { place.pass(); });
        begin.precede(head, beside);
        head.limited_by(one);
        beside.limited_by(one);
        more.choose(true, head);
        g.run(with(pool));
        check(turns == 3 && one.in_use() == 0, "the loop has ended");
      },
      many(1000));
}

TEST(graph_special_schedules, a_thread_serves_its_nodes_while_it_runs_the_graph) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        thread_queue mine;
        task_graph g;
        shared<int> ran{"ran", 0};
        auto before = g.emplace([] {});
        for (int i = 0; i < 2; ++i) {
          const auto next = g.emplace([&] { ran.write(ran.read() + 1); });
          next.on(mine);
          const auto free = g.emplace([] {});
          before.precede(next, free);
          before = next;
        }
        g.run(with(pool));
        g.run(with(pool));
        check(ran.read() == 4, "each node runs");
      },
      many(1500));
}

TEST(graph_special_schedules, a_thread_serves_its_nodes_while_another_one_runs_the_graph) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 1}};
        thread_queue mine;
        task_graph g;
        shared<int> ran{"ran", 0}, done{"done", 0};
        const auto first = g.emplace([&] { ran.write(ran.read() + 1); });
        first.on(mine);
        const auto second = g.emplace([&] { ran.write(ran.read() + 1); });
        first.precede(second);
        thread other{"other", [&] {
                       g.run(with(pool));
                       done.write(1);
                       mine.wake();
                     }};
        mine.run_until([&] { return done.read() == 1; });
        other.join();
        check(ran.read() == 2, "each node runs");
      },
      many(1500));
}

TEST(graph_special_schedules, a_thread_that_comes_late_or_never_is_waited_for_until_the_deadline) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 1}};
        thread_queue mine;
        task_graph g;
        shared<int> ran{"ran", 0};
        g.emplace("draw", [&] { ran.write(1); }).on(mine);
        shared<int> done{"done", 0};
        bool is_missing = false, is_stopped = false;
        thread other{"other", [&] {
                       try {
                         g.run(with(pool, time_limit{20ms}));
                       } catch (const thread_missing&) {
                         is_missing = true;
                       } catch (const stopped&) {
                         is_stopped = true;
                       }
                       done.write(1);
                     }};
        nap(std::chrono::milliseconds(seed() % 40));
        while (done.read() == 0) {
          mine.run_pending();
          nap(1ms);
        }
        other.join();
        // A deadline that comes while it runs stops the run, too
        check(is_missing ? ran.read() == 0 : is_stopped || ran.read() == 1, "runs, or is missed");
      },
      many(500));
}

TEST(graph_special_schedules, nodes_of_another_pool_run_there) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 1}}, other{{.workers = 1}};
        task_graph g;
        shared<int> right{"right", 0};
        const auto away = g.emplace([&] { right.write(right.read() + other.is_current()); });
        const auto back = g.emplace([&] { right.write(right.read() + pool.is_current()); });
        away.on(other);
        away.precede(back);
        g.run(with(pool));
        check(right.read() == 2, "each runs where it belongs");
      },
      many(1000));
}

TEST(graph_special_schedules, a_graph_that_runs_elsewhere_is_refused_and_runs_on) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 1}}, other{{.workers = 1}};
        task_graph part, g;
        shared<int> ran{"ran", 0};
        part.emplace([&] { ran.write(ran.read() + 1); });
        g.emplace("part", part);
        int runs = 0;
        thread beside{"beside", [&] {
                        try {
                          part.run(with(other));
                          ++runs;
                        } catch (const std::logic_error&) {
                        }
                      }};
        bool ran_here = false;
        try {
          g.run(with(pool));
          ran_here = true;
        } catch (const std::logic_error&) {
        }
        beside.join();
        check(ran.read() == runs + ran_here, "those that were not refused have run");
      },
      many(1500));
}

}  // namespace
}  // namespace filch::testing
