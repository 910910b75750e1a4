#include <filch/sim/computation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace {

using namespace filch::sim;

TEST(computation, a_balanced_tree_has_the_work_and_span_of_its_formula) {
  for (std::uint32_t levels = 1; levels <= 10; ++levels) {
    const computation tree = balanced_tree(levels, 6);
    EXPECT_EQ(tree.work(), 6u * ((1u << levels) - 1));
    EXPECT_EQ(tree.span(), 6u * levels);
  }
}

TEST(computation, a_skewed_tree_has_a_task_for_every_cut_and_every_item) {
  const computation tree = skewed_tree(16, 6);
  EXPECT_EQ(tree.task_count(), 2 * 16 - 1u);
  EXPECT_EQ(tree.span(), 6u * 10);  // 16 12 9 7 6 5 4 3 2 1
}

TEST(computation, a_growing_loop_costs_the_sum_of_its_iterations) {
  const computation loop = growing_loop(16);
  EXPECT_EQ(loop.work(), 16u * 17 / 2 + 15);
  EXPECT_EQ(loop.span(), 4u + 16);
  EXPECT_EQ(loop[0].name, "0-15");
}

TEST(computation, a_join_waits_for_all_that_was_forked) {
  const computation f = fork_join_function();
  EXPECT_TRUE(f.has_continuations());
  EXPECT_FALSE(balanced_tree(3, 1).has_continuations());
  EXPECT_EQ(f.work(), 40u);
  EXPECT_EQ(f.span(), 14u);  // f1, g1, f4
  EXPECT_EQ(std::ranges::count_if(f.tasks(), &task::is_join), 1);
}

TEST(static_plan, gives_each_worker_as_many_subtrees) {
  const computation tree = balanced_tree(5, 6);
  const auto plan = static_plan(tree, 4);
  std::map<std::uint32_t, int> tasks;
  for (const std::uint32_t worker : plan) ++tasks[worker];
  // 7 in each subtree; the root and its two children go with the first subtree below them.
  EXPECT_EQ(tasks, (std::map<std::uint32_t, int>{{0, 9}, {1, 7}, {2, 8}, {3, 7}}));
}

TEST(static_plan, names_only_workers_that_exist) {
  for (std::uint32_t workers = 1; workers <= 9; ++workers) {
    for (const computation& each :
         {balanced_tree(4, 1), skewed_tree(16, 1), growing_loop(8), fork_join_function()}) {
      for (const std::uint32_t worker : static_plan(each, workers)) ASSERT_LT(worker, workers);
    }
  }
}

TEST(static_plan, a_function_and_what_it_forks_are_subtrees) {
  const auto plan = static_plan(fork_join_function(), 4);
  EXPECT_EQ(plan, (std::vector<std::uint32_t>{0, 0, 1, 0, 2, 0, 3, 0}));
}

}  // namespace
