// Work and span of what external threads run in pools while a session lives.
#include <filch/base/sanitized_test.hpp>
#include <filch/base/scratch_folder.hpp>
#include <filch/filch.hpp>
#include <filch/span/root_session.hpp>
#include <filch/span/spent_time_test.hpp>
#include <filch/trace.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <thread>
#include <vector>

namespace filch::inline v0_2::span {
namespace {

/// A session on a clock that only the program moves.
struct exact_session : root_session {
  explicit exact_session(double fork_ns = 0, double burden_ns = 0)
      : root_session{*on_spent_time(fork_ns, burden_ns).costs, on_spent_time().clock} {}
};

unsigned fib(unsigned n) {
  spend(1);
  if (n < 2) return n;
  const auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

void tree(unsigned depth, std::uint64_t leaf) {
  if (depth == 0) return spend(leaf);
  join([&] { tree(depth - 1, leaf); }, [&] { tree(depth - 1, leaf); });
}

void chain(unsigned length) {
  if (length == 0) return;
  spend(7);
  join([=] { chain(length - 1); }, [] {});
}

void on_another_thread(const std::function<void()>& f) { std::thread{f}.join(); }

// -------------------------------------------------------------------------------------------------
// closed forms
TEST(root_session, a_root_is_known_as_an_analysis_knows_it) {
  thread_pool pool({.workers = 2});
  exact_session session;
  EXPECT_EQ(pool.run([] { return fib(20); }), 6765u);
  const analysis::result found = session.end();
  EXPECT_EQ(found.forks, 10945u);
  EXPECT_EQ(found.work_ns, 2 * 10945 + 1);
  EXPECT_EQ(found.span_ns, 20);
}

TEST(root_session, a_chain_has_no_parallelism) {
  thread_pool pool({.workers = 2});
  exact_session session;
  pool.run([] { chain(1000); });
  EXPECT_EQ(session.end().parallelism(), 1);
}

TEST(root_session,
     roots_of_one_thread_come_one_behind_the_other_and_what_is_between_them_is_not_seen) {
  thread_pool pool({.workers = 2}), other({.workers = 1});
  exact_session session(1, 1000);
  pool.run([] { tree(5, 100); });
  spend(12345);
  other.run([] { tree(4, 10); });
  const analysis::result found = session.end();
  EXPECT_EQ(found.work_ns, 32 * 100 + 31 + 16 * 10 + 15);
  EXPECT_EQ(found.span_ns, 100 + 5 + 10 + 4);
  EXPECT_EQ(found.forks, 31u + 15u);
  EXPECT_EQ(found.burdened_span_ns, (1600 + 15 + 1 + 1000) + 160 + 15)
      << "one steal in the first, none in the second";
}

TEST(root_session, roots_of_different_threads_run_beside_each_other) {
  thread_pool pool({.workers = 2});
  exact_session session;
  on_another_thread([&] { pool.run([] { tree(3, 10); }); });
  on_another_thread([&] { pool.run([] { tree(2, 100); }); });
  on_another_thread([&] { pool.run([] { tree(1, 50); }); });
  const analysis::result found = session.end();
  EXPECT_EQ(found.work_ns, 80 + 400 + 100);
  EXPECT_EQ(found.span_ns, 100);
}

TEST(root_session, sites_are_shared_out_without_rest_and_named) {
  thread_pool pool({.workers = 2});
  exact_session session(1);
  pool.run([] { fib(10); });
  pool.run([] { tree(5, 10); });
  on_another_thread([&] { pool.run([] { fib(12); }); });
  const analysis::result found = session.end();
  double work = 0, span = 0;
  for (const analysis::site& each : found.sites) {
    work += each.work_ns;
    span += each.span_ns;
    EXPECT_NE(each.where.name, "");
  }
  EXPECT_EQ(found.sites.size(), 3u) << "outside, fib and tree";
  EXPECT_EQ(work, found.work_ns);
  EXPECT_EQ(span, found.span_ns);
}

// -------------------------------------------------------------------------------------------------
// what a root is
TEST(root_session, a_join_or_a_loop_outside_every_pool_is_a_root) {
  exact_session session;
  join([] { spend(10); }, [] { spend(30); });
  parallel_for(with(grain_items{1}), 0, 16, [](int) { spend(10); });
  const analysis::result found = session.end();
  EXPECT_EQ(found.forks, 16u);
  EXPECT_EQ(found.work_ns, 200);
  EXPECT_EQ(found.span_ns, 40);
}

TEST(root_session,
     algorithms_that_share_out_by_workers_do_as_if_watched_also_where_they_begin_outside) {
  std::vector<int> numbers(64, 1);
  const auto sums = [&] {
    inclusive_scan(with(grain_items{1}), numbers, numbers.begin(), [](int a, int b) {
      spend(1);
      return a + b;
    });
  };
  const analysis::result inside = analyze(sums, on_spent_time());
  exact_session session;
  sums();
  const analysis::result outside = session.end();
  EXPECT_GT(outside.forks, 0u);
  EXPECT_EQ(outside.forks, inside.forks);
}

TEST(root_session,
     a_group_that_begins_outside_every_pool_has_its_jobs_seen_where_it_is_waited_for) {
  exact_session session;
  task_group star;
  for (int i = 0; i != 8; ++i) star.run([] { tree(2, 100); });
  star.wait();
  const analysis::result found = session.end();
  EXPECT_EQ(found.work_ns, 3200);
  EXPECT_EQ(found.span_ns, 100);
  EXPECT_EQ(found.forks, 8u * 4u);
}

TEST(root_session, a_group_may_go_from_one_root_to_the_next) {
  thread_pool pool({.workers = 2});
  task_group jobs(pool);
  exact_session session;
  pool.run([&] {
    spend(5);
    jobs.run([] { tree(1, 10); });
  });
  pool.run([&] {
    spend(3);
    jobs.run([] { tree(1, 20); });
    jobs.wait();
  });
  const analysis::result found = session.end();
  EXPECT_EQ(found.work_ns, 5 + 20 + 3 + 40);
  EXPECT_EQ(found.span_ns, 5 + 3 + 20)
      << "what was added in the first root could begin with the second";
}

TEST(root_session, what_a_root_does_in_other_pools_or_while_blocked_belongs_to_it) {
  thread_pool pool({.workers = 1}), other({.workers = 1});
  exact_session session;
  pool.run([&] {
    join([&] { other.run([] { tree(1, 10); }); },
         [] {
           blocking([] {
             spend(100);
             join([] { spend(7); }, [] { spend(8); });
           });
         });
  });
  const analysis::result found = session.end();
  EXPECT_EQ(found.work_ns, 20 + 15);
  EXPECT_EQ(found.blocked_ns, 100);
  EXPECT_EQ(found.span_ns, 108);
}

TEST(root_session, submitted_jobs_are_counted_from_wherever_they_come) {
  exact_session session;
  {
    thread_pool pool({.workers = 2});
    pool.submit([&] { pool.submit([] {}); });
    pool.run([&] { pool.submit([] {}); });
  }
  const analysis::result found = session.end();
  EXPECT_EQ(found.submitted, 3u);
  EXPECT_EQ(found.forks, 0u);
}

TEST(root_session, an_analysis_inside_a_root_is_one_strand_of_it) {
  exact_session session;
  EXPECT_EQ(analyze([] { tree(3, 10); }, on_spent_time()).span_ns, 10);
  const analysis::result found = session.end();
  EXPECT_EQ(found.forks, 0u);
  EXPECT_EQ(found.span_ns, 80);
}

// -------------------------------------------------------------------------------------------------
// begin and end
TEST(root_session, a_root_that_throws_counts_and_leaves_nobody_watching) {
  thread_pool pool({.workers = 2});
  exact_session session;
  EXPECT_THROW(pool.run([] {
    spend(9);
    join([] { throw 5; }, [] {});
  }),
               int);
  EXPECT_EQ(sched::current_observer, nullptr);
  EXPECT_EQ(session.end().work_ns, 9);
}

TEST(root_session, only_roots_that_begin_and_end_in_its_time_count) {
  // The clock works for one worker only, and the first root is not watched
  thread_pool pool({.workers = 1});
  std::optional<exact_session> session;
  analysis::result found;
  pool.run([&] {
    session.emplace();
    tree(1, 1000);
  });
  pool.run([] { tree(1, 10); });
  pool.run([&] {
    tree(1, 2000);
    found = session->end();
    tree(1, 4000);
  });
  EXPECT_EQ(found.work_ns, 20);
  EXPECT_EQ(sched::current_observer, nullptr);
}

TEST(root_session, sessions_that_overlap_see_their_own_roots) {
  thread_pool pool({.workers = 2});
  exact_session first;
  pool.run([] { tree(1, 1); });
  exact_session second;
  pool.run([] { tree(1, 10); });
  const analysis::result of_first = first.end();
  pool.run([] { tree(1, 100); });
  EXPECT_EQ(of_first.work_ns, 22);
  EXPECT_EQ(second.end().work_ns, 220);
}

TEST(root_session, nobody_is_watched_afterwards) {
  thread_pool pool({.workers = 1});
  {
    exact_session session;
    pool.run([] { tree(2, 1); });
  }
  pool.run([] {
    EXPECT_EQ(sched::current_observer, nullptr);
    join([] {}, [] {});  // takes the slow path once more
    EXPECT_FALSE(sched::current_stack->must_pause(sched::current_stack->bottom()));
  });
}

TEST(root_session, a_child_of_fork_is_not_watched_and_can_begin_anew) {
  if (base::under_thread_sanitizer) GTEST_SKIP() << "it lets a forked child start no threads";
  thread_pool pool({.workers = 2});
  exact_session session;
  pid_t child = 0;
  pool.run([&] {
    join(
        [&] {
          child = ::fork();
          if (child == 0) {
            const bool is_unwatched = sched::current_observer == nullptr;
            exact_session own;
            pool.run([] { tree(2, 10); });
            ::_exit(is_unwatched && own.end().work_ns == 40 ? 42 : 1);
          }
        },
        [] { spend(3); });
  });
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_EQ(session.end().work_ns, 3);
}

// -------------------------------------------------------------------------------------------------
// recordings
TEST(span_level, a_recording_carries_the_analysis_and_so_does_its_file) {
  const base::scratch_folder folder;
  const std::string file = folder / "out.filch";
  thread_pool pool({.workers = 2});
  trace_session session({.file = file, .level = trace_level::span});
  pool.run([] { fib(15); });
  const event::recording recorded = session.end();
  ASSERT_TRUE(recorded.analyzed);
  EXPECT_EQ(recorded.analyzed->forks, 986u);
  EXPECT_GT(recorded.analyzed->work_ns, 0);
  EXPECT_LE(recorded.analyzed->span_ns, recorded.analyzed->work_ns);
  EXPECT_FALSE(recorded.entries.empty()) << "what workers do is recorded as at steal level";
  EXPECT_EQ(recorded.pools.size(), 1u) << "the pools of the calibration are not recorded";
  const event::recording read = trace::read_file(file);
  ASSERT_TRUE(read.analyzed);
  EXPECT_EQ(read.analyzed->work_ns, recorded.analyzed->work_ns);
  EXPECT_EQ(read.analyzed->sites.size(), recorded.analyzed->sites.size());
}

TEST(span_level, other_levels_watch_nobody) {
  thread_pool pool({.workers = 2});
  trace_session session;
  pool.run([] { EXPECT_EQ(sched::current_observer, nullptr); });
  EXPECT_FALSE(session.end().analyzed);
}

}  // namespace
}  // namespace filch::span
