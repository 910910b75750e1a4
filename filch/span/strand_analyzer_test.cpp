#include <filch/base/sanitized_test.hpp>
#include <filch/base/thread.hpp>
#include <filch/event/analysis_fields.hpp>
#include <filch/fork.hpp>
#include <filch/metrics.hpp>
#include <filch/span/spent_time_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace filch::inline v0_2::span {
namespace {

// -------------------------------------------------------------------------------------------------
// closed forms
void tree(unsigned depth, std::uint64_t leaf) {
  if (depth == 0) return spend(leaf);
  join([&] { tree(depth - 1, leaf); }, [&] { tree(depth - 1, leaf); });
}

TEST(strand_analyzer, a_perfect_tree_has_all_its_leaves_as_work_and_one_as_span) {
  const analysis::result found = analyze([] { tree(10, 100); }, on_spent_time());
  EXPECT_EQ(found.work_ns, 1024 * 100);
  EXPECT_EQ(found.span_ns, 100);
  EXPECT_EQ(found.burdened_span_ns, 100);
  EXPECT_EQ(found.forks, 1023u);
  EXPECT_EQ(found.parallelism(), 1024);
}

TEST(strand_analyzer, each_fork_is_work_and_each_level_is_span) {
  const analysis::result found = analyze([] { tree(10, 100); }, on_spent_time(3));
  EXPECT_EQ(found.work_ns, 1024 * 100 + 1023 * 3);
  EXPECT_EQ(found.span_ns, 100 + 10 * 3);
  EXPECT_EQ(found.fork_overhead_ns, 1023 * 3);
}

TEST(strand_analyzer, the_burden_is_paid_where_a_steal_is_worth_it) {
  // Leaves of 100 and a burden of 1000: a half is worth stealing from depth 4 on, as one of depth 3
  // takes 800. So each level above pays once, and the tree of depth 4 is serial.
  const auto burdened = [](unsigned depth) {
    return analyze([=] { tree(depth, 100); }, on_spent_time(0, 1000)).burdened_span_ns;
  };
  EXPECT_EQ(burdened(0), 100);
  EXPECT_EQ(burdened(3), 800);
  EXPECT_EQ(burdened(4), 1600)
      << "two halves of 800 one after the other beat 800 and a burden of 1000";
  EXPECT_EQ(burdened(5), 2600);
  EXPECT_EQ(burdened(10), 7600);
}

unsigned fib(unsigned n) {
  spend(1);
  if (n < 2) return n;
  const auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

TEST(strand_analyzer, fib_has_a_fork_for_each_inner_node_and_the_left_spine_as_span) {
  unsigned value = 0;
  const analysis::result found = analyze([&] { value = fib(20); }, on_spent_time());
  EXPECT_EQ(value, 6765u);
  EXPECT_EQ(found.forks, 10945u);           // fib(21) - 1
  EXPECT_EQ(found.work_ns, 2 * 10945 + 1);  // calls
  EXPECT_EQ(found.span_ns, 20);             // fib(20), ..., fib(1)
}

void chain(unsigned length) {
  if (length == 0) return;
  spend(7);
  join([=] { chain(length - 1); }, [] {});
}

TEST(strand_analyzer, a_chain_has_no_parallelism) {
  const analysis::result found = analyze([] { chain(1000); }, on_spent_time());
  EXPECT_EQ(found.work_ns, 7000);
  EXPECT_EQ(found.span_ns, 7000);
  EXPECT_EQ(found.parallelism(), 1);
}

TEST(strand_analyzer, work_before_between_and_behind_joins_is_all_on_the_span) {
  const analysis::result found = analyze(
      [] {
        spend(1);
        join([] { spend(10); }, [] { spend(30); });
        spend(2);
        join([] { spend(50); }, [] { spend(20); });
        spend(4);
      },
      on_spent_time());
  EXPECT_EQ(found.work_ns, 117);
  EXPECT_EQ(found.span_ns, 1 + 30 + 2 + 50 + 4);
}

TEST(strand_analyzer, joins_of_many_sides_run_beside_each_other) {
  const analysis::result found = analyze(
      [] { join([] { spend(10); }, [] { spend(40); }, [] { spend(20); }, [] { spend(30); }); },
      on_spent_time());
  EXPECT_EQ(found.work_ns, 100);
  EXPECT_EQ(found.span_ns, 40);
  EXPECT_EQ(found.forks, 3u);
}

// -------------------------------------------------------------------------------------------------
// blocking, pools
TEST(strand_analyzer, what_computes_in_a_blocking_call_is_work_and_what_sleeps_is_none) {
  constexpr std::uint64_t length_ns = 10'000'000;
  const auto compute = [] {
    for (const std::uint64_t begin_ns = base::own_cpu_ns();
         base::own_cpu_ns() - begin_ns < length_ns;) {
    }
  };
  // `delayed_ns` has the subtracted delay: on a busy machine the system may report more of it than
  // fell into the measured time.
  const analysis::result computed = analyze([&] { blocking(compute); });
  EXPECT_GE(computed.work_ns + computed.delayed_ns, length_ns * 0.95);
  const analysis::result slept =
      analyze([=] { blocking([=] { base::nap_thread(std::chrono::nanoseconds(length_ns)); }); });
  EXPECT_LT(slept.work_ns, length_ns * 0.5);
  EXPECT_GT(slept.blocked_ns + slept.delayed_ns, length_ns * 0.5);
  EXPECT_GE(slept.span_ns + slept.delayed_ns, length_ns * 0.95);
}

TEST(strand_analyzer, blocked_time_is_on_the_span_and_no_work) {
  const analysis::result found = analyze(
      [] {
        join(
            [] {
              spend(5);
              blocking([] { spend(100); });
            },
            [] { spend(50); });
      },
      on_spent_time());
  EXPECT_EQ(found.work_ns, 55);
  EXPECT_EQ(found.blocked_ns, 100);
  EXPECT_EQ(found.span_ns, 105);
}

TEST(strand_analyzer, a_blocking_call_inside_forks_costs_giving_the_slot_away) {
  filch::analysis::options options = on_spent_time();
  options.costs->blocking_ns = 20;
  const auto wait = [] { blocking([] { spend(100); }); };
  const analysis::result inside = analyze([=] { join(wait, [=] { wait(), wait(); }); }, options);
  EXPECT_EQ(inside.blocking_calls, 3u);
  EXPECT_EQ(inside.work_ns, 3 * 20);
  EXPECT_EQ(inside.blocked_ns, 300);
  EXPECT_EQ(inside.span_ns, 2 * 120);
  const analysis::result outside = analyze(wait, options);
  EXPECT_EQ(outside.work_ns, 0) << "nobody waits for the slot there";
  EXPECT_EQ(outside.span_ns, 100);
}

TEST(strand_analyzer, what_is_forked_while_blocked_is_work_again) {
  const analysis::result found = analyze(
      [] {
        blocking([] {
          spend(10);
          join([] { spend(3); }, [] { spend(4); });
        });
      },
      on_spent_time());
  EXPECT_EQ(found.work_ns, 7);
  EXPECT_EQ(found.blocked_ns, 10);
  EXPECT_EQ(found.span_ns, 14);
}

TEST(strand_analyzer, other_pools_are_watched_too) {
  thread_pool other({.workers = 2});
  other.warm_up();
  bool is_there = false;
  const analysis::result found = analyze(
      [&] {
        spend(1);
        other.run([&] {
          is_there = other.is_current();
          join([] { spend(10); }, [] { spend(10); });
        });
      },
      on_spent_time());
  EXPECT_TRUE(is_there);
  EXPECT_EQ(found.forks, 1u);
  EXPECT_EQ(found.work_ns, 21);
  EXPECT_EQ(found.span_ns, 11);
}

TEST(strand_analyzer, the_program_is_in_the_pool_it_is_analyzed_in_and_keeps_its_index) {
  thread_pool wide({.workers = 64});
  unsigned at_first = no_worker, at_last = 0;
  bool was_current = false;
  analysis::options how = on_spent_time();
  how.pool = &wide;
  analyze(
      [&] {
        was_current = wide.is_current() && pool_here().concurrency() == 64;
        at_first = worker_index();
        tree(4, 1);
        at_last = worker_index();
      },
      how);
  EXPECT_TRUE(was_current);
  EXPECT_NE(at_first, no_worker);
  EXPECT_EQ(at_first, at_last);
  EXPECT_EQ(wide.metrics().total.threads_started, 0u) << "nothing of it runs elsewhere";
}

TEST(strand_analyzer, submitted_jobs_run_elsewhere_and_are_counted) {
  thread_pool pool({.workers = 2});
  base::atomic<bool> ran{false};
  analysis::options how = on_spent_time();
  how.pool = &pool;
  const analysis::result found = analyze(
      [&] {
        pool.submit([&] { ran.store(true, base::relaxed); });
        while (!ran.load(base::relaxed)) base::yield_thread();
      },
      how);
  EXPECT_EQ(found.submitted, 1u);
}

TEST(strand_analyzer, an_analysis_inside_an_analysis_is_one_strand) {
  analysis::result inner;
  const analysis::result outer = analyze(
      [&] {
        inner = analyze([] { tree(3, 10); }, on_spent_time());
        tree(2, 100);
      },
      on_spent_time());
  EXPECT_EQ(inner.span_ns, 10);
  EXPECT_EQ(outer.span_ns, 80 + 100);
  EXPECT_EQ(outer.forks, 3u);
}

TEST(strand_analyzer, forks_are_as_quick_as_before_when_it_is_over) {
  thread_pool pool({.workers = 1});
  pool.run([&] {
    analyze([] { tree(3, 1); }, on_spent_time());
    join([] {}, [] {});  // takes the slow path once more
    EXPECT_FALSE(sched::current_stack->must_pause(sched::current_stack->bottom()));
  });
}

// -------------------------------------------------------------------------------------------------
// sites
TEST(strand_analyzer, work_and_span_are_shared_out_among_sites_without_rest) {
  const analysis::result found = analyze(
      [] {
        spend(3);
        join([] { tree(5, 10); }, [] { fib(10); });
      },
      on_spent_time(1));
  double work = 0, span = 0;
  for (const analysis::site& each : found.sites) {
    work += each.work_ns;
    span += each.span_ns;
  }
  EXPECT_EQ(found.sites.size(), 4u) << "outside, the join here, the one of tree and the one of fib";
  EXPECT_EQ(work, found.work_ns);
  EXPECT_EQ(span, found.span_ns);
  EXPECT_TRUE(std::is_sorted(
      found.sites.begin(), found.sites.end(),
      [](const analysis::site& a, const analysis::site& b) { return a.work_ns > b.work_ns; }));
}

TEST(strand_analyzer, a_site_knows_its_jobs_and_its_leaves) {
  const analysis::result found = analyze([] { tree(4, 100); }, on_spent_time());
  const auto site = std::find_if(found.sites.begin(), found.sites.end(),
                                 [](const analysis::site& each) { return each.forks != 0; });
  ASSERT_NE(site, found.sites.end());
  EXPECT_EQ(site->forks, 15u);
  EXPECT_EQ(site->leaves, 16u);
  EXPECT_EQ(site->mean_leaf_ns(), 100);
  EXPECT_EQ(site->longest_job_ns, 800);
  duration_histogram expected;  // right sides of 100, 200, 400 and 800
  for (int i = 0; i != 8; ++i) expected.add(100);
  for (int i = 0; i != 4; ++i) expected.add(200);
  for (int i = 0; i != 2; ++i) expected.add(400);
  expected.add(800);
  EXPECT_EQ(site->jobs, expected);
}

TEST(strand_analyzer, what_being_watched_costs_is_taken_off) {
  analysis::options how = on_spent_time();
  how.costs->watched_side_ns = 4;
  how.costs->watched_join_ns = 6;
  // As if each side took 4 longer, and each join 6.
  const auto slowed = [](auto&& self, unsigned depth) -> void {
    spend(4);
    if (depth == 0) return spend(100);
    join([&] { self(self, depth - 1); }, [&] { self(self, depth - 1); });
    spend(6);
  };
  const analysis::result found = analyze(
      [&] {
        join([&] { slowed(slowed, 3); }, [&] { slowed(slowed, 3); });
        spend(6);
      },
      how);
  EXPECT_EQ(found.work_ns, 16 * 100);
  EXPECT_EQ(found.span_ns, 100);
}

TEST(strand_analyzer, sides_that_seem_to_take_less_than_nothing_take_nothing) {
  analysis::options how = on_spent_time();
  how.costs->watched_side_ns = 50;
  const analysis::result found = analyze(
      [] {
        spend(1000);
        join([] { spend(10); }, [] { spend(10); });
      },
      how);
  EXPECT_TRUE(event::is_sound(found));
  EXPECT_EQ(found.work_ns, 1000);
  EXPECT_EQ(found.span_ns, 1000);
}

TEST(strand_analyzer, a_deep_recursion_fits_the_stack) {
  constexpr unsigned depth = base::is_sanitized ? 1'000 : 10'000;
  const analysis::result found = analyze([] { chain(depth); }, on_spent_time());
  EXPECT_EQ(found.forks, depth);
}

}  // namespace
}  // namespace filch::span
