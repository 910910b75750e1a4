// What `filch::with` says to the calls that begin tasks and jobs.
#include <filch/algo/parallel_for.hpp>
#include <filch/co.hpp>
#include <filch/fork.hpp>
#include <filch/sync.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace filch::inline v0_2 {
namespace {

task<bool> is_in(thread_pool& pool) { co_return pool.is_current(); }
task<> mark_down(std::string& order, char mark) {
  order += mark;
  co_return;
}

class with_two_pools : public testing::Test {
 protected:
  thread_pool here{{.workers = 1}}, there{{.workers = 1}};
};

TEST_F(with_two_pools, a_task_is_spawned_in_the_pool_that_is_given) {
  EXPECT_TRUE(block_on(spawn(with(there), is_in(there))));
  EXPECT_TRUE(block_on(spawn(there, is_in(there)))) << "in short";
  EXPECT_TRUE(block_on(spawn(with(std::ref(there)), is_in(there))));
  EXPECT_TRUE(block_on(std::ref(there), is_in(there)));
  EXPECT_TRUE(here.run([&] { return block_on(spawn(with(there), is_in(there))); }));
  EXPECT_TRUE(here.run([&] { return block_on(spawn(with(), is_in(here))); })) << "its own pool";
}

TEST(with, takes_a_pool_and_a_priority_in_any_order) {
  std::string order;
  {
    thread_pool pool{{.workers = 1}};
    pool.submit([&] {
      spawn(with(priority::background, pool), mark_down(order, 'c'));
      spawn(with(pool), mark_down(order, 'b'));
      spawn(with(pool, priority::high), mark_down(order, 'a'));
    });
  }
  EXPECT_EQ(order, "abc");
}

TEST_F(with_two_pools, a_task_is_run_in_the_pool_that_is_given) {
  EXPECT_TRUE(block_on(with(there), is_in(there)));
  EXPECT_TRUE(here.run([&] { return block_on(with(there), is_in(there)); }));
  EXPECT_TRUE(here.run([&] { return block_on(with(), is_in(here)); })) << "its own pool";
}

task<bool> move_to(thread_pool& pool) {
  co_await co::schedule_on(with(pool));
  co_return pool.is_current();
}

TEST_F(with_two_pools, a_task_moves_to_the_pool_that_is_given) {
  EXPECT_TRUE(block_on(with(here), move_to(there)));
}

TEST_F(with_two_pools, the_jobs_of_a_group_run_in_the_pool_that_is_given) {
  std::atomic<int> right{0};
  here.run([&] {
    task_group group{with(there)};
    for (int i = 0; i < 10; ++i) group.run([&] { right += there.is_current() ? 1 : 0; });
    group.wait();
  });
  EXPECT_EQ(right, 10);
}

TEST_F(with_two_pools, values_of_workers_belong_to_the_pool_that_is_given) {
  worker_local<int> from_seven{with(there), [] { return 7; }};
  worker_local<int> counts{with(there)};
  there.run([&] { EXPECT_EQ(counts.local() += from_seven.local(), 7); });
  here.run([&] { EXPECT_EQ(++counts.local(), 1) << "a stranger has its own"; });
}

TEST_F(with_two_pools, one_value_serves_tasks_and_loops) {
  const auto how = with(there);
  bool was_there = false;
  parallel_for(how, 0, 1, [&](int) { was_there = there.is_current(); });
  EXPECT_TRUE(was_there);
  EXPECT_TRUE(block_on(spawn(how, is_in(there))));
}

// -------------------------------------------------------------------------------------------------
// scopes
task<> note(bool& seen, thread_pool& pool) {
  seen = pool.is_current();
  co_return;
}

task<std::string> begin_children(thread_pool& pool, thread_pool& other) {
  bool in_pool = false, in_other = false, by_priority = false;
  co::scope nursery{with(pool)};
  nursery.spawn(note(in_pool, pool));
  nursery.spawn(with(other), note(in_other, other));
  nursery.spawn(with(priority::high), note(by_priority, pool));
  co_await nursery.join();
  co_return std::string(in_pool ? "its own, " : "") + (in_other ? "another, " : "") +
      (by_priority ? "urgent" : "");
}

TEST_F(with_two_pools, a_scope_begins_its_children_in_its_pool_unless_they_have_another) {
  EXPECT_EQ(block_on(with(here), begin_children(there, here)), "its own, another, urgent");
  EXPECT_EQ(block_on(begin_children(there, here)), "its own, another, urgent") << "outside of both";
}

task<> wait_to_be_stopped(async_event& never) { co_await never.wait(); }
task<bool> is_cancelled_from_outside(thread_pool& pool) {
  async_event never;
  std::stop_source outer;
  co::scope nursery{with(pool, outer.get_token())};
  nursery.spawn(wait_to_be_stopped(never));
  outer.request_stop();
  co_await nursery.join();
  co_return nursery.get_token().stop_requested();
}

TEST_F(with_two_pools, a_scope_with_a_pool_is_cancelled_with_the_token_that_is_given) {
  EXPECT_TRUE(block_on(with(here), is_cancelled_from_outside(there)));
}

task<> fail() {
  throw std::runtime_error("in the other pool");
  co_return;
}
task<> fail_beside(thread_pool& pool) {
  async_event never;
  co::scope nursery{with(pool)};
  nursery.spawn(wait_to_be_stopped(never));
  nursery.spawn(fail());
  co_await nursery.join();
}

TEST_F(with_two_pools, a_failure_in_the_pool_of_a_scope_comes_back_to_the_parent) {
  EXPECT_THROW(block_on(with(here), fail_beside(there)), std::runtime_error);
}

task<bool> is_refused(thread_pool& stopped) {
  co::scope nursery{with(stopped)};
  bool was_refused = false;
  try {
    nursery.spawn(fail());
  } catch (const pool_stopped&) {
    was_refused = true;
  }
  co_await nursery.join();
  co_return was_refused;
}

TEST_F(with_two_pools, a_scope_whose_pool_was_stopped_begins_nothing) {
  there.request_stop();
  EXPECT_TRUE(block_on(with(here), is_refused(there)));
}

}  // namespace
}  // namespace filch
