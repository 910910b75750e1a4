#include <filch/sim/schedules_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace {

using namespace filch::sim;

std::uint64_t makespan(const computation& what, discipline which, std::uint64_t seed = 1,
                       std::uint32_t workers = 4) {
  return simulate(what, which, workers, seed).makespan;
}

TEST(schedulers, run_every_task_once_and_none_before_what_it_waits_for) {
  for_all_schedules([](const computation& what, discipline, std::uint32_t workers,
                       const history& told) {
    std::vector<std::uint32_t> missing, started(what.task_count(), 0), ended(what.task_count(), 0);
    for (const task& each : what.tasks()) missing.push_back(each.awaited);
    for (const step& each : told.steps) {
      const bool starts = each.move && each.move->to.what == place::kind::hand;
      if (starts) {
        ASSERT_EQ(missing[each.task], 0u) << each.sentence;
      }
      if (starts) ++started[each.task];
      if (each.what != action::finish) continue;
      ++ended[each.task];
      for (const task_id child : what[each.task].children) --missing[child];
      if (what[each.task].next != no_task) --missing[what[each.task].next];
    }
    ASSERT_TRUE(std::ranges::all_of(started, [](auto times) { return times == 1; }));
    ASSERT_TRUE(std::ranges::all_of(ended, [](auto times) { return times == 1; }));
    std::uint64_t busy = 0;
    for (worker_index w = 0; w < workers; ++w) busy += told.busy_ticks[w];
    ASSERT_EQ(busy, what.work());
  });
}

TEST(schedulers, a_task_takes_the_ticks_it_has) {
  for_all_schedules([](const computation& what, discipline, std::uint32_t, const history& told) {
    std::map<task_id, std::uint64_t> began;
    for (const step& each : told.steps) {
      if (each.move && each.move->to.what == place::kind::hand) began[each.task] = each.clock;
      if (each.what == action::finish) {
        ASSERT_EQ(each.clock - began.at(each.task), what[each.task].ticks) << each.sentence;
      }
    }
  });
}

TEST(schedulers, none_beats_work_and_span) {
  for_all_schedules(
      [](const computation& what, discipline, std::uint32_t workers, const history& told) {
        ASSERT_GE(told.makespan, what.span());
        ASSERT_GE(told.makespan * workers, what.work());
      });
}

TEST(schedulers, alone_a_stealing_worker_loses_nothing) {
  for (const computation& what :
       {balanced_tree(5, 6), skewed_tree(16, 6), growing_loop(16), fork_join_function()}) {
    for (const discipline which :
         {discipline::static_split, discipline::work_stealing, discipline::continuation_stealing}) {
      EXPECT_EQ(makespan(what, which, 1, 1), what.work());
    }
  }
}

TEST(schedulers, a_static_split_of_a_balanced_tree_is_optimal) {
  for (std::uint32_t levels = 3; levels <= 8; ++levels) {
    // One task, then two at once, then everybody its subtree.
    const std::uint64_t best = 6 * (1 + 1 + ((1u << (levels - 2)) - 1));
    EXPECT_EQ(makespan(balanced_tree(levels, 6), discipline::static_split), best);
  }
}

TEST(schedulers, on_a_balanced_tree_the_static_split_is_first_and_stealing_close) {
  const computation tree = balanced_tree(5, 6);
  const std::uint64_t best = makespan(tree, discipline::static_split);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (const discipline_text& each : disciplines())
      EXPECT_GE(makespan(tree, each.which, seed), best);
    // The two steals at the first fork of each half are on the way of the last to finish.
    EXPECT_EQ(makespan(tree, discipline::work_stealing, seed), best + 2 * shared_access_ticks);
  }
}

TEST(schedulers, on_a_skewed_tree_stealing_is_first_and_the_static_split_last) {
  const computation tree = skewed_tree(16, 6);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto stealing = makespan(tree, discipline::work_stealing, seed),
               central = makespan(tree, discipline::central_queue, seed);
    const auto sharing = makespan(tree, discipline::work_sharing, seed),
               split = makespan(tree, discipline::static_split, seed);
    EXPECT_LT(stealing, central);
    EXPECT_LT(central, sharing);
    EXPECT_LT(sharing, split);
    EXPECT_LE(stealing, tree.span() + 4 * shared_access_ticks)
        << "close to what infinitely many workers would need";
  }
  EXPECT_EQ(makespan(tree, discipline::static_split), 6u * (2 + 17))
      << "root, its large child, and a subtree of 9 items";
}

TEST(schedulers, a_central_queue_is_never_held_by_two) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    std::vector<std::uint64_t> held;
    for (const step& each :
         simulate(skewed_tree(16, 2), discipline::central_queue, 4, seed).steps) {
      if (each.what == action::push || each.what == action::lock) held.push_back(each.clock);
    }
    EXPECT_EQ(std::ranges::adjacent_find(
                  held, [](auto a, auto b) { return b < a + shared_access_ticks; }),
              held.end());
  }
}

TEST(schedulers, thieves_take_the_oldest_and_owners_the_youngest) {
  for_all_schedules(
      [](const computation& what, discipline which, std::uint32_t workers, const history& told) {
        if (which < discipline::work_stealing) return;
        picture shown{what.task_count(), workers};
        for (const step& each : told.steps) {
          if (each.what == action::steal_win) {
            ASSERT_EQ(each.task, shown.queue_of(each.other).front());
          }
          if (each.what == action::pop) {
            ASSERT_EQ(each.task, shown.queue_of(each.worker).back());
          }
          forward(shown, each);
        }
      });
}

/// The tasks in the order in which they begin, and the longest that any deque gets.
std::pair<std::string, std::size_t> order_and_depth(discipline which) {
  const computation f = fork_join_function();
  std::pair<std::string, std::size_t> found;
  picture shown{f.task_count(), 1};
  for (const step& each : simulate(f, which, 1, 1).steps) {
    forward(shown, each);
    found.second = std::max(found.second, shown.queue_of(0).size());
    if (each.move && each.move->to.what == place::kind::hand)
      found.first += f[each.task].name + ' ';
  }
  return found;
}

TEST(schedulers, alone_continuation_stealing_keeps_the_order_of_the_program) {
  EXPECT_EQ(order_and_depth(discipline::continuation_stealing),
            (std::pair<std::string, std::size_t>{"f1 g1 f2 g2 f3 g3 h f4 ", 1}));
}

TEST(schedulers, alone_child_stealing_runs_the_forked_last_and_youngest_first) {
  EXPECT_EQ(order_and_depth(discipline::work_stealing),
            (std::pair<std::string, std::size_t>{"f1 f2 f3 h g3 g2 g1 f4 ", 3}));
}

TEST(schedulers, with_children_stolen_the_join_stays_with_its_frame) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto steps = simulate(fork_join_function(), discipline::work_stealing, 4, seed).steps;
    EXPECT_EQ(steps.back().worker, 0u);
    EXPECT_EQ(std::ranges::count(steps, action::wait_at_join, &step::what), 1);
  }
}

/// Nothing to steal for `ticks`, then three tasks of that length at once.
computation late_burst(std::uint32_t ticks) {
  std::vector<task> tasks(
      4,
      {.name = "late", .ticks = ticks, .parent = 0, .children = {}, .next = no_task, .awaited = 1});
  tasks[0] = {.name = "first",
              .ticks = ticks,
              .parent = no_task,
              .children = {1, 2, 3},
              .next = no_task,
              .awaited = 0};
  return computation{std::move(tasks)};
}

TEST(schedulers, thieves_without_luck_fall_asleep_and_are_woken_by_the_next_push) {
  const history told = simulate(late_burst(60), discipline::work_stealing, 4, 1);
  EXPECT_GE(told.count(action::park), 3u);
  EXPECT_EQ(told.count(action::wake), 2u)
      << "by the first push, and by the first thief that found something";
  EXPECT_EQ(told.count(action::wake), told.count(action::wake_up));
  EXPECT_LT(told.makespan, 4 * 60u);
}

TEST(schedulers, thieves_still_looking_need_no_wake) {
  const history told = simulate(late_burst(10), discipline::work_stealing, 4, 1);
  EXPECT_EQ(told.count(action::wake), 0u);
  EXPECT_EQ(told.count(action::steal_win), 2u);
}

}  // namespace
