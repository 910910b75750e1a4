#include <filch/analyze.hpp>
#include <gtest/gtest.h>

namespace filch::inline v0_2 {
namespace {

analysis::result program(double work, double span, double burdened) {
  analysis::result made;
  made.work_ns = work;
  made.span_ns = span;
  made.burdened_span_ns = burdened;
  return made;
}

TEST(predict, one_worker_takes_the_work) {
  EXPECT_EQ(analysis::predict(program(1000, 10, 20), 1).bound_ns, 1000);
  EXPECT_EQ(analysis::predict(program(1000, 10, 20), 1).estimate_ns, 1000);
}

TEST(predict, many_workers_take_the_span_at_least_and_the_burdened_span_at_most) {
  const analysis::predicted_time time = analysis::predict(program(1000, 10, 20), 1000);
  EXPECT_EQ(time.bound_ns, 10);
  EXPECT_NEAR(time.estimate_ns, 1 + 20, 0.1);
  EXPECT_EQ(time.workers, 1000u);
}

TEST(predict, no_estimate_beats_its_bound_and_more_workers_are_never_slower) {
  for (const double span : {1.0, 10.0, 500.0, 1000.0}) {
    double before = 1001;
    for (unsigned workers = 1; workers <= 1024; ++workers) {
      const analysis::predicted_time time = analysis::predict(program(1000, span, span), workers);
      EXPECT_GE(time.estimate_ns, time.bound_ns);
      EXPECT_LE(time.estimate_ns, before + 1e-9);
      before = time.estimate_ns;
    }
  }
}

TEST(predict, what_is_over_before_anybody_wakes_takes_as_long_as_on_one_worker) {
  analysis::result short_one = program(1000, 10, 20);
  short_one.costs.wake_ns = 50'000;
  EXPECT_EQ(analysis::predict(short_one, 8).estimate_ns, 1000);
}

TEST(predict, the_speed_up_is_against_one_worker) {
  EXPECT_EQ(analysis::predict(program(1000, 1, 0), 4).speed_up(1000), 4);
  EXPECT_EQ(analysis::predict(program(0, 0, 0), 4).speed_up(0), 1);
}

TEST(with_work, keeps_the_parallelism_and_ends_the_doubt) {
  analysis::result doubtful = program(1000, 10, 20);
  doubtful.doubt_ns = 300;
  const analysis::result sure = analysis::with_work(doubtful, 800);
  EXPECT_EQ(sure.work_ns, 800);
  EXPECT_EQ(sure.parallelism(), 100);
  EXPECT_EQ(sure.doubt_ns, 0);
  EXPECT_EQ(analysis::with_work(analysis::result{}, 800).work_ns, 0) << "nothing was seen";
}

analysis::result two_sites() {
  analysis::result made = program(1100, 300, 350);
  made.sites.resize(2);
  made.sites[0] = {.forks = 100, .work_ns = 900, .span_ns = 200, .fork_overhead_ns = 100};
  made.sites[1] = {.forks = 0, .work_ns = 200, .span_ns = 100};
  return made;
}

TEST(what_if, a_site_twice_as_fast_gives_half_of_its_work_and_of_its_span) {
  const analysis::result faster = analysis::what_if(two_sites(), 1, 2);
  EXPECT_EQ(faster.work_ns, 1000);
  EXPECT_EQ(faster.span_ns, 250);
  EXPECT_EQ(faster.burdened_span_ns, 300);
  EXPECT_EQ(faster.sites[1].work_ns, 100);
}

TEST(what_if, forks_do_not_get_faster_with_the_code_around_them) {
  EXPECT_EQ(analysis::what_if(two_sites(), 0, 2).work_ns, 1100 - 400);
}

TEST(suggested_grain, is_one_where_leaves_are_neither_fine_nor_coarse) {
  analysis::result all = program(1e9, 1e4, 1e5);
  all.costs.steal_ns = 1000;
  const analysis::site site{
      .forks = 1000, .work_ns = 1e9, .leaves = 1001, .leaf_ns = 1e9, .longest_leaf_ns = 1e6};
  EXPECT_EQ(analysis::suggested_grain(all, site, 2), 1);
  EXPECT_EQ(analysis::suggested_grain(all, {}, 2), 1) << "code outside every fork has no grain";
}

TEST(suggested_grain, asks_for_longer_leaves_where_forks_take_more_than_a_twentieth) {
  const analysis::result all = program(1e6, 1e3, 1e4);
  const analysis::site site{.forks = 100'000,
                            .work_ns = 1e6,
                            .leaves = 100'001,
                            .leaf_ns = 8e5,
                            .longest_leaf_ns = 10,
                            .fork_overhead_ns = 2e5};
  EXPECT_DOUBLE_EQ(analysis::suggested_grain(all, site, 2), 0.2 / 0.05);
}

TEST(suggested_grain, asks_for_shorter_leaves_where_one_of_them_keeps_the_workers_waiting) {
  const analysis::result all = program(1e9, 5e8, 5e8);
  const analysis::site site{
      .forks = 3, .work_ns = 1e9, .leaves = 4, .leaf_ns = 1e9, .longest_leaf_ns = 5e8};
  EXPECT_DOUBLE_EQ(analysis::suggested_grain(all, site, 2), 1.0 / 8);
}

TEST(analysis, parallelism_is_one_where_nothing_ran) {
  EXPECT_EQ(analysis::result{}.parallelism(), 1);
  EXPECT_EQ(program(1000, 10, 40).burdened_parallelism(), 25);
}

}  // namespace
}  // namespace filch
