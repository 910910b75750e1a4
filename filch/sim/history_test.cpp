#include <filch/sim/schedules_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace filch::sim;

TEST(history, the_picture_after_a_step_is_the_same_from_either_side) {
  for_all_schedules(
      [](const computation& what, discipline, std::uint32_t workers, const history& told) {
        std::vector<picture> forwards{picture{what.task_count(), workers}};
        for (const step& each : told.steps) {
          forwards.push_back(forwards.back());
          forward(forwards.back(), each);
        }
        picture shown = forwards.back();
        for (std::size_t i = told.steps.size(); i-- > 0;) {
          back(shown, told.steps[i]);
          ASSERT_EQ(shown, forwards[i]) << "before step " << i;
        }
      });
}

TEST(history, every_step_moves_or_says_something_and_the_clock_never_goes_back) {
  for_all_schedules([](const computation&, discipline, std::uint32_t, const history& told) {
    std::uint64_t clock = 0;
    for (const step& each : told.steps) {
      ASSERT_GE(each.clock, clock);
      clock = each.clock;
      ASSERT_FALSE(each.sentence.empty());
    }
    ASSERT_EQ(clock, told.makespan);
  });
}

TEST(history, sentences_name_the_worker_the_task_and_the_other) {
  for_all_schedules([](const computation& what, discipline, std::uint32_t, const history& told) {
    for (const step& each : told.steps) {
      ASSERT_TRUE(each.sentence.starts_with("Worker " + std::to_string(each.worker + 1) + " "))
          << each.sentence;
      ASSERT_TRUE(each.sentence.ends_with('.'));
      ASSERT_EQ(std::ranges::count(each.sentence, '.'), 1);
      const bool names_other = each.sentence.find("worker ") != std::string::npos;
      ASSERT_EQ(names_other, each.other != no_worker) << each.sentence;
      if (names_other) {
        ASSERT_NE(each.sentence.find("worker " + std::to_string(each.other + 1)),
                  std::string::npos);
      }
      const bool names_task =
          each.sentence.find("task ") != std::string::npos && each.task != no_task;
      if (names_task) {
        ASSERT_NE(each.sentence.find("task " + what[each.task].name), std::string::npos)
            << each.sentence;
      }
      ASSERT_EQ(each.move.has_value() && !names_task, false)
          << "what moves is named: " << each.sentence;
    }
  });
}

TEST(history, what_is_seen_agrees_with_what_is_done) {
  for_all_schedules(
      [](const computation& what, discipline, std::uint32_t workers, const history& told) {
        picture shown{what.task_count(), workers};
        for (const step& each : told.steps) {
          forward(shown, each);
          for (worker_index w = 0; w < workers; ++w) {
            ASSERT_EQ(shown.activity_of(w) == activity::running, shown.in_hand(w) != no_task)
                << each.sentence;
          }
        }
        for (task_id task = 0; task < what.task_count(); ++task)
          ASSERT_EQ(shown.where(task).what, place::kind::finished);
      });
}

TEST(history, the_same_seed_tells_the_same_story) {
  const computation tree = skewed_tree(16, 6);
  const auto story = [&](std::uint64_t seed) {
    std::string all;
    for (const step& each : simulate(tree, discipline::work_stealing, 4, seed).steps)
      all += each.sentence;
    return all;
  };
  bool any_differ = false;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(story(seed), story(seed));
    any_differ |= story(seed) != story(1);
  }
  EXPECT_TRUE(any_differ);
}

TEST(history, the_idle_share_is_what_the_tasks_leave) {
  const history told = simulate(balanced_tree(5, 6), discipline::static_split, 4, 1);
  EXPECT_DOUBLE_EQ(told.idle_share(), 1 - 186.0 / (4 * 54));
  EXPECT_EQ(told.count(action::finish), 31u);
}

}  // namespace
