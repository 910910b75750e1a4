// Recordings of more jobs than can be recorded one by one: long folds, samples of the others, and
// the time of all.
#include <filch/base/membarrier.hpp>
#include <filch/base/sanitized_test.hpp>
#include <filch/fork.hpp>
#include <filch/metrics.hpp>
#include <filch/trace.hpp>
#include <filch/trace/job_budget.hpp>
#include <filch/trace/own_file_test.hpp>
#include <filch/trace/recorded_jobs_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace {

using filch::event::entry;
using filch::event::kind;
using filch::event::recording;
using filch::trace::job_budget;
using tested_jobs::count_in_place;
using tested_jobs::count_of;
using tested_jobs::tree;

constexpr int big = 17;  ///< A tree of this depth has eight times `job_budget::whole` jobs.
static_assert((1 << big) >= 8 * job_budget::whole);

/// A recording with a file, beside which all is kept: a busy machine takes long, and earns many
/// jobs.
class sampled_jobs : public testing::Test {
 protected:
  filch::trace_options at_job_level() const {
    return {.file = file_.path, .level = filch::trace_level::jobs};
  }

 private:
  const filch::trace::own_file file_{"filch_sampled_jobs_test_"};
};

std::uint64_t lost_of(const recording& all) {
  std::uint64_t sum = 0;
  for (const auto& each : all.workers) sum += each.lost;
  return sum;
}

/// How many jobs began in place, and that each that began has ended.
std::size_t told(const recording& all) { return static_cast<std::size_t>(count_in_place(all, "")); }

// A busy machine may take long for it, and the more time there is the more samples are taken: but
// not as many as jobs.
TEST_F(sampled_jobs, more_of_them_than_a_ring_holds_lose_nothing) {
  if (!filch::base::has_asymmetric_fence())
    GTEST_SKIP() << "all joins are slow, and told as they come";
  filch::thread_pool pool({.workers = 1});
  filch::trace_session session(at_job_level());
  EXPECT_EQ(pool.run([] { return tree(big); }), 1 << big);
  const recording all = session.end();
  EXPECT_EQ(lost_of(all), 0u);
  EXPECT_GE(told(all), job_budget::whole);
  EXPECT_LT(told(all), std::size_t{1} << (big - 1)) << "most are in folds";
  const auto changes = count_of(all, kind::jobs_sampled);
  EXPECT_GE(changes, 1u);
  EXPECT_EQ(pool.metrics().total.jobs_sampled, changes);
}

TEST_F(sampled_jobs, begin_and_end_in_their_order_whichever_worker_runs_them) {
  filch::thread_pool pool({.workers = 4});
  filch::trace_session session(at_job_level());
  for (int i = 0; i < 4; ++i) pool.run([] { return tree(big); });
  const recording all = session.end();
  EXPECT_EQ(lost_of(all), 0u);
  EXPECT_GE(told(all), job_budget::whole);
}

TEST_F(sampled_jobs, a_new_recording_tells_all_again) {
  filch::thread_pool pool({.workers = 1});
  {
    filch::trace_session session(at_job_level());
    pool.run([] { return tree(big); });
  }
  filch::trace_session session(at_job_level());
  pool.run([] { return tree(8); });
  const recording all = session.end();
  EXPECT_EQ(told(all), 255u);
  EXPECT_EQ(count_of(all, kind::jobs_sampled), 0u);
}

void long_right(filch::thread_pool& pool) {
  pool.run([] {
    for (int i = 0; i < 10; ++i) {
      tree(8);  // so many jobs that the next one is none of a sample
      filch::join([] {}, [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
    }
  });
}

TEST_F(sampled_jobs, long_ones_are_told_each) {
  filch::thread_pool pool({.workers = 1});
  filch::trace_session session(at_job_level());
  pool.run([] { return tree(big); });
  long_right(pool);
  EXPECT_EQ(count_in_place(session.end(), "long_right"), 10);
}

void right_that_blocks() {
  // Longer than a job that would be skipped.
  constexpr std::chrono::microseconds a_while{20};
  filch::join([] {}, [&] { filch::blocking([&] { std::this_thread::sleep_for(a_while); }); });
}

TEST_F(sampled_jobs, one_in_which_something_is_told_is_told_before_that) {
  filch::thread_pool pool({.workers = 1});
  filch::trace_session session(at_job_level());
  pool.run([] {
    tree(big);
    for (int i = 0; i < 10; ++i) tree(8), right_that_blocks();
  });
  const recording all = session.end();
  EXPECT_EQ(count_in_place(all, "right_that_blocks"), 10);
  std::string_view innermost;
  for (const entry& each : all.entries) {
    if (each.what.what == kind::job_changed) innermost = all.sites[each.what.amount].name;
    if (each.what.what == kind::blocking_entered) {
      EXPECT_NE(innermost.find("right_that_blocks"), innermost.npos) << innermost;
    }
  }
}

TEST_F(sampled_jobs, a_recording_that_ends_within_one_leaves_joins_as_fast_as_before) {
  if (!filch::base::has_asymmetric_fence()) GTEST_SKIP() << "no join is";
  filch::thread_pool pool({.workers = 1});
  std::optional<filch::trace_session> session{at_job_level()};
  pool.run([&] {
    tree(big);
    for (int i = 0; i < 3; ++i) tree(8);
    filch::join([] {}, [&] { session.reset(); });
    filch::queue::fork_stack& mine = *filch::sched::current_stack;
    mine.push(mine.bottom(), {});
    EXPECT_TRUE(mine.pop_private(mine.bottom() - 1));
  });
}

TEST_F(sampled_jobs, cost_less_than_the_jobs_themselves) {
  if (filch::base::is_sanitized || !filch::base::has_asymmetric_fence())
    GTEST_SKIP() << "there everything takes longer";
  filch::thread_pool pool({.workers = 1});
  const auto seconds = [&] {
    const std::clock_t began = std::clock();  // of its processors: others compute beside it
    pool.run([] { return tree(22); });
    return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  };
  double off = 1e9, on = 1e9;
  for (int i = 0; i < 5; ++i) {
    off = std::min(off, seconds());
    filch::trace_session session(at_job_level());
    on = std::min(on, seconds());
  }
  EXPECT_LT(on, 2.5 * off) << "told one by one they take six times as long";
}

}  // namespace
