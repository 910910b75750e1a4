// The strand analysis of task groups, and of programs that throw.
#include <filch/fork.hpp>
#include <filch/span/spent_time_test.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace filch::inline v0_2::span {
namespace {

// -------------------------------------------------------------------------------------------------
// groups
TEST(strand_analyzer, the_jobs_of_a_star_run_beside_each_other_and_beside_their_parent) {
  const analysis::result found = analyze(
      [] {
        task_group star;
        for (int i = 0; i != 8; ++i) {
          spend(1);
          star.run([] { spend(100); });
        }
        spend(5);
        star.wait();
        spend(2);
      },
      on_spent_time());
  EXPECT_EQ(found.forks, 8u);
  EXPECT_EQ(found.work_ns, 8 * 101 + 5 + 2);
  EXPECT_EQ(found.span_ns, 8 + 100 + 2) << "the last job could begin after 8";
}

TEST(strand_analyzer,
     what_a_group_s_jobs_cost_is_named_where_they_are_made_and_is_part_of_the_work_there) {
  const auto star = [](std::uint64_t to_make) {
    return [=] {
      task_group all;
      for (int i = 0; i != 8; ++i) {
        spend(to_make);
        all.run([] { spend(100); });
      }
      all.wait();
    };
  };
  filch::analysis::options options = on_spent_time();
  options.costs->spawn_ns = 20;
  const analysis::result dear = analyze(star(25), options);
  EXPECT_EQ(dear.work_ns, 8 * 125) << "seen by the clock: not added again";
  EXPECT_EQ(dear.fork_overhead_ns, 8 * 20);
  const analysis::result cheap = analyze(star(5), options);
  EXPECT_EQ(cheap.fork_overhead_ns, 8 * 5) << "no more than the code that makes them has worked";
}

TEST(strand_analyzer, a_star_pays_one_burden_not_one_a_job) {
  const auto star = [] {
    task_group all;
    for (int i = 0; i != 8; ++i) all.run([] { spend(100); });
    all.wait();
  };
  EXPECT_EQ(analyze(star, on_spent_time(0, 30)).burdened_span_ns, 130);
  EXPECT_EQ(analyze(star, on_spent_time(0, 10'000)).burdened_span_ns, 800)
      << "nobody would steal these";
}

TEST(strand_analyzer, jobs_that_add_jobs_to_their_group_begin_where_they_were_added) {
  const analysis::result found = analyze(
      [] {
        task_group chain;
        chain.run([&] {
          spend(10);
          chain.run([&] {
            spend(20);
            chain.run([] { spend(40); });
          });
          spend(100);
        });
        chain.wait();
      },
      on_spent_time());
  EXPECT_EQ(found.work_ns, 170);
  EXPECT_EQ(found.span_ns, 110);
}

TEST(strand_analyzer, groups_and_joins_nest) {
  const analysis::result found = analyze(
      [] {
        join(
            [] {
              task_group inner;
              inner.run([] { join([] { spend(30); }, [] { spend(50); }); });
              spend(20);
              inner.wait();
            },
            [] { spend(49); });
      },
      on_spent_time());
  EXPECT_EQ(found.work_ns, 149);
  EXPECT_EQ(found.span_ns, 50);
}

// -------------------------------------------------------------------------------------------------
// exceptions
TEST(strand_analyzer, a_right_side_does_not_begin_where_the_left_one_throws) {
  std::string caught;
  const analysis::result found = analyze(
      [&] {
        try {
          join(
              [] {
                spend(10);
                throw std::runtime_error("left");
              },
              [] { spend(30); });
        } catch (const std::runtime_error& error) {
          caught = error.what();
        }
        spend(1);
      },
      on_spent_time());
  EXPECT_EQ(caught, "left");
  EXPECT_EQ(found.work_ns, 11);
  EXPECT_EQ(found.span_ns, 11);
}

TEST(strand_analyzer,
     what_the_program_throws_leaves_the_analysis_and_nothing_is_watched_afterwards) {
  const auto throws = [] { join([] { throw 5; }, [] {}); };
  EXPECT_THROW(analyze(throws, on_spent_time()), int);
  EXPECT_EQ(sched::current_observer, nullptr);
  // On all workers again, so without the clock of these tests.
  EXPECT_EQ(pool_here().run([] { return join([] { return 1; }, [] { return 2; }); }),
            std::tuple(1, 2));
}

TEST(strand_analyzer, a_job_that_throws_counts_and_its_group_rethrows) {
  const analysis::result found = analyze(
      [] {
        task_group group;
        group.run([] {
          spend(10);
          throw 1;
        });
        group.run([] { spend(20); });
        EXPECT_THROW(group.wait(), int);
      },
      on_spent_time());
  EXPECT_EQ(found.work_ns, 30);
  EXPECT_EQ(found.span_ns, 20);
}

}  // namespace
}  // namespace filch::span
