// A session at job level also records every job that runs at its own join or wait.
#include <filch/base/membarrier.hpp>
#include <filch/fork.hpp>
#include <filch/metrics.hpp>
#include <filch/trace.hpp>
#include <filch/trace/recorded_jobs_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

namespace {

using filch::trace_level;
using filch::trace_session;
using filch::event::entry;
using filch::event::kind;
using filch::event::record;
using filch::event::recording;
using tested_jobs::count_in_place;
using tested_jobs::count_of;
using tested_jobs::tree;

recording record_tree(filch::thread_pool& pool, int depth, trace_level level) {
  trace_session session({.file = {}, .level = level});
  EXPECT_EQ(pool.run([depth] { return tree(depth); }), 1 << depth);
  return session.end();
}

TEST(recorded_jobs, every_fork_that_nobody_steals_is_told_with_its_site) {
  filch::thread_pool pool({.workers = 1});
  EXPECT_EQ(count_in_place(record_tree(pool, 8, trace_level::jobs), "tree"), 255);
}

TEST(recorded_jobs, at_the_level_of_steals_they_are_not_told_and_cost_nothing) {
  filch::thread_pool pool({.workers = 1});
  const recording before = record_tree(pool, 8, trace_level::jobs);
  EXPECT_EQ(count_of(before, kind::job_changed), 510u);
  const recording after = record_tree(pool, 8, trace_level::steal);
  EXPECT_EQ(count_of(after, kind::job_changed), 0u);
  const auto told = pool.metrics().total.job_changes;
  EXPECT_EQ(told, 510u);
  pool.run([] { return tree(8); });
  EXPECT_EQ(pool.metrics().total.job_changes, told);
}

std::uint64_t counted_forks(const recording& all) {
  std::uint64_t sum = 0;
  for (const entry& each : all.entries)
    sum += each.what.what == kind::forks_counted ? each.what.amount : 0;
  return sum;
}

TEST(recorded_jobs, at_the_level_of_steals_the_first_forks_are_counted_and_then_samples) {
  filch::thread_pool pool({.workers = 1});
  EXPECT_EQ(counted_forks(record_tree(pool, 8, trace_level::steal)), 254u)
      << "all but the first one, at which counting begins";
  EXPECT_EQ(counted_forks(record_tree(pool, 1, trace_level::steal)), 0u) << "each begins anew";
  const std::uint64_t before = pool.metrics().total.forks_counted;
  pool.run([] { return tree(8); });
  EXPECT_EQ(pool.metrics().total.forks_counted, before) << "nothing is recorded";
  if (!filch::base::has_asymmetric_fence()) return;  // all joins are slow, and counted as they come
  const std::uint64_t of_many = counted_forks(record_tree(pool, 20, trace_level::steal));
  EXPECT_GE(of_many, 256u);
  EXPECT_LT(of_many, (1u << 20) / 4);
}

TEST(recorded_jobs, come_with_what_a_fork_takes_here) {
  filch::thread_pool pool({.workers = 1});
  const std::uint64_t fork_ps = record_tree(pool, 3, trace_level::jobs).fork_ps;
  EXPECT_GT(fork_ps, 300u);
  EXPECT_LT(fork_ps, 100'000'000u)
      << "a tenth of a millisecond, on any machine and under any sanitizer";
  EXPECT_EQ(record_tree(pool, 3, trace_level::jobs).fork_ps, fork_ps) << "once";
}

// A stamp serves for seven records more: in most of eight rounds the first recording ends among
// them.
TEST(recorded_jobs, those_of_a_second_recording_bear_no_stamp_of_the_first) {
  filch::thread_pool pool({.workers = 1});
  for (int round = 0; round < 8; ++round) {
    pool.run([round] {
      trace_session first({.file = {}, .level = trace_level::jobs});
      for (int i = 0; i < 1000 + round; ++i) tree(1);
      first.end();
      trace_session second({.file = {}, .level = trace_level::jobs});
      std::this_thread::sleep_for(std::chrono::milliseconds(4));
      for (int i = 0; i < 10; ++i) tree(1);
      const recording all = second.end();
      EXPECT_EQ(count_in_place(all, "tree"), 10);
      const auto first_job = std::ranges::find(all.entries, kind::job_changed,
                                               [](const entry& e) { return e.what.what; });
      ASSERT_NE(first_job, all.entries.end());
      EXPECT_GE(first_job->at_ns, 3'000'000);
    });
  }
}

TEST(recorded_jobs, each_is_told_once_whichever_worker_runs_it) {
  filch::thread_pool pool({.workers = 4});
  for (int i = 0; i < 5; ++i) {
    const recording all = record_tree(pool, 12, trace_level::jobs);
    if (std::ranges::any_of(all.workers, [](const auto& w) { return w.lost != 0; })) continue;
    EXPECT_EQ(count_in_place(all, "tree") + static_cast<int>(count_of(all, kind::job_run)), 4095);
  }
}

/// Two sides that end only when both have begun.
TEST(recorded_jobs, the_end_of_a_stolen_one_is_told) {
  filch::thread_pool pool({.workers = 2});
  trace_session session({.file = {}, .level = trace_level::jobs});
  std::atomic<int> arrived{0};
  const auto arrive = [&] {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  };
  pool.run([&] { filch::join(arrive, arrive); });
  const recording all = session.end();
  EXPECT_EQ(count_of(all, kind::job_run), 1u);
  EXPECT_EQ(count_of(all, kind::job_changed), 1u);
  EXPECT_EQ(count_in_place(all, ""), 0);
}

void sow(filch::task_group& group) {
  for (int i = 0; i < 3; ++i) group.run([] { tree(2); });
}

TEST(recorded_jobs, a_group_is_told_with_what_its_jobs_fork) {
  filch::thread_pool pool({.workers = 1});
  trace_session session({.file = {}, .level = trace_level::jobs});
  pool.run([] {
    filch::task_group group;
    sow(group);
    group.wait();
  });
  const recording all = session.end();
  EXPECT_EQ(count_in_place(all, "sow"), 3);
  EXPECT_EQ(count_in_place(all, "tree"), 9);
}

void throw_from(int side) {
  const auto fail_if = [](bool fails) {
    if (fails) throw std::runtime_error("on purpose");
  };
  filch::join([=] { fail_if(side == 0); }, [=] { fail_if(side == 1); });
}

TEST(recorded_jobs, a_side_that_throws_ends_as_others_do) {
  filch::thread_pool pool({.workers = 1});
  trace_session session({.file = {}, .level = trace_level::jobs});
  for (const int side : {0, 1})
    EXPECT_THROW(pool.run([side] { throw_from(side); }), std::runtime_error);
  // If the left one throws, the right one does not begin
  EXPECT_EQ(count_in_place(session.end(), "throw_from"), 1);
}

TEST(recorded_jobs, a_session_may_begin_and_end_in_the_middle_of_jobs) {
  filch::thread_pool pool({.workers = 1});
  std::optional<trace_session> session;
  recording all;
  pool.run([&] {
    tree(3);
    filch::join([] {},
                [&] {
                  session.emplace(filch::trace_options{.file = {}, .level = trace_level::jobs});
                  tree(3);
                });
    filch::join([] {}, [&] { all = session->end(), tree(3); });
    tree(3);
  });
  EXPECT_EQ(std::ranges::count_if(all.entries,
                                  [](const entry& e) { return e.what.what == kind::job_changed; }),
            2 * 7 + 1);
}

TEST(recorded_jobs, a_fork_older_than_the_session_is_told_if_its_join_is_not) {
  filch::thread_pool pool({.workers = 1});
  std::optional<trace_session> session;
  bool is_stolen = false;
  const auto begin = [&] {
    session.emplace(filch::trace_options{.file = {}, .level = trace_level::jobs});
  };
  const auto right = [&, owner = std::this_thread::get_id()] {
    is_stolen = std::this_thread::get_id() != owner;
  };
  // A first session calibrates in a pool of its own: its owner gives its slot away meanwhile, and
  // another thread may have the job
  do {
    session.reset();
    pool.run([&] { filch::join(begin, right); });
  } while (is_stolen);
  EXPECT_EQ(count_in_place(session->end(), ""), 1);
}

TEST(recorded_jobs, once_nobody_records_them_joins_are_as_fast_as_before) {
  if (!filch::base::has_asymmetric_fence()) GTEST_SKIP() << "no join is";
  filch::thread_pool pool({.workers = 1});
  const auto pops_at_once = [] {
    filch::queue::fork_stack& mine = *filch::sched::current_stack;
    mine.push(mine.bottom(), {});
    return mine.pop_private(mine.bottom() - 1);
  };
  {
    trace_session session({.file = {}, .level = trace_level::jobs});
    EXPECT_FALSE(pool.run(pops_at_once));
  }
  EXPECT_TRUE(pool.run(pops_at_once));
}

TEST(recorded_jobs, a_session_of_another_thread_sees_jobs_of_a_root_that_runs_already) {
  filch::thread_pool pool({.workers = 1});
  std::atomic<bool> stop{false};
  std::thread working{[&] {
    pool.run([&] {
      while (!stop) tree(3);
    });
  }};
  const auto told = [&] { return pool.metrics().total.job_changes; };
  while (pool.metrics().total.seconds_working == 0) std::this_thread::yield();
  for (int i = 0; i < 20; ++i) {
    trace_session session({.file = {}, .level = trace_level::jobs});
    const auto before = told();
    while (told() == before) std::this_thread::yield();
  }
  stop = true;
  working.join();
}

TEST(recorded_jobs, the_session_that_wants_most_decides) {
  filch::thread_pool pool({.workers = 1});
  trace_session steals;
  record_tree(pool, 3, trace_level::jobs);
  pool.run([] { return tree(3); });
  EXPECT_EQ(count_of(steals.end(), kind::job_changed), 14u);
}

}  // namespace
