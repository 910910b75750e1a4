// How many jobs a worker records, and when it goes on.
#include <filch/trace/job_budget.hpp>

#include <gtest/gtest.h>

namespace {

class job_budget : public testing::Test {
 protected:
  using sut = filch::trace::job_budget;
  static constexpr std::uint64_t ticks_a_job = 10, short_ticks = 5;

  job_budget() { budget.begin(1000, ticks_a_job, short_ticks); }
  unsigned spend_all() {
    unsigned count = 0;
    while (budget.spend()) ++count;
    return count;
  }
  /// How many jobs are skipped after a short fold, before the next one at that depth.
  unsigned skipped_after_a_short_fold(std::uintptr_t depth = 7) {
    budget.note_fold(short_ticks - 1);
    unsigned count = 0;
    while (budget.skip(depth)) ++count;
    return count;
  }

  sut budget;
};

TEST_F(job_budget, the_first_jobs_are_all_told) { EXPECT_EQ(spend_all(), sut::whole); }

TEST_F(job_budget, later_ones_in_bursts_that_are_earned) {
  spend_all();
  EXPECT_FALSE(budget.earn(1000 + ticks_a_job * sut::burst - 1));
  EXPECT_FALSE(budget.spend());
  EXPECT_TRUE(budget.earn(1000 + ticks_a_job * sut::burst));
  EXPECT_EQ(spend_all(), sut::burst);
  EXPECT_FALSE(budget.earn(1000 + ticks_a_job * (2 * sut::burst - 1)))
      << "what was earned is spent";
}

TEST_F(job_budget, a_long_pause_earns_no_more_than_is_saved) {
  spend_all();
  EXPECT_TRUE(budget.earn(1000 + ticks_a_job * sut::whole * 10));
  EXPECT_EQ(spend_all(), sut::most_saved);
}

TEST_F(job_budget, folds_that_are_told_are_no_more_than_jobs) {
  EXPECT_FALSE(budget.is_long(2 * ticks_a_job - 1));
  EXPECT_TRUE(budget.is_long(2 * ticks_a_job));
}

TEST_F(job_budget, after_many_short_folds_in_a_loop_more_and_more_jobs_are_skipped) {
  EXPECT_FALSE(budget.skip(7));
  for (int i = 0; i < 8; ++i) EXPECT_EQ(skipped_after_a_short_fold(), 0u);
  for (const unsigned expected : {2u, 4u, 8u}) EXPECT_EQ(skipped_after_a_short_fold(), expected);
  for (int i = 0; i < 20; ++i) EXPECT_LE(skipped_after_a_short_fold(), sut::most_skipped);
  budget.note_fold(short_ticks);
  EXPECT_EQ(skipped_after_a_short_fold(), 0u) << "a longer one has come";
}

TEST_F(job_budget, folds_are_short_if_the_last_ones_were_at_whatever_depth) {
  for (std::uintptr_t depth = 30; depth != 22; --depth) {
    budget.skip(depth);
    EXPECT_FALSE(budget.folds_are_short());
    budget.note_fold(short_ticks - 1);
  }
  budget.note_fold(short_ticks - 1);
  EXPECT_TRUE(budget.folds_are_short());
  budget.note_fold(short_ticks);
  EXPECT_FALSE(budget.folds_are_short());
}

TEST_F(job_budget, where_a_tree_is_climbed_nothing_is_skipped) {
  EXPECT_FALSE(budget.skip(30));
  for (std::uintptr_t depth = 29; depth != 0; --depth)
    EXPECT_EQ(skipped_after_a_short_fold(depth), 0u);
}

TEST_F(job_budget, what_is_behind_a_loop_is_not_skipped) {
  EXPECT_FALSE(budget.skip(7));
  for (int i = 0; i < 10; ++i) skipped_after_a_short_fold();
  budget.note_fold(short_ticks - 1);
  EXPECT_TRUE(budget.skip(8)) << "it is inside of a job that is skipped";
  EXPECT_FALSE(budget.skip(6));
}

}  // namespace
