// Coroutines under one schedule after another.
#include <filch/co.hpp>
#include <filch/co/attendance_test.hpp>
#include <filch/co/await_spawned_test.hpp>
#include <filch/fork.hpp>
#include <filch/stop.hpp>
#include <filch/sync.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <system_error>

namespace filch::inline v0_2::testing {
namespace {

using namespace std::chrono_literals;

task<int> give(int value) { co_return value; }
task<> add(shared<int>& to) {
  to.write(to.read() + 1);
  co_return;
}
task<int> await_both() {
  join_handle<int> first = spawn(give(1)), second = spawn(give(2));
  const int sum = co_await second;
  co_return sum + co_await first;
}

TEST(co_schedules, an_await_and_the_end_of_its_task_meet) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    check(block_on(pool, await_both()) == 3, "both are awaited");
  });
}

TEST(co_schedules, a_handle_may_be_dropped_while_its_task_ends) {
  expect_no_failure([] {
    shared<int> ran{"ran", 0};
    {
      thread_pool pool{{.workers = 1}};
      for (int i = 0; i < 3; ++i) {
        const join_handle<> dropped = spawn(pool, add(ran));
        nap(std::chrono::microseconds(seed() % 5));
      }
    }
    check(ran.read() == 3, "every task runs");
  });
}

task<int> count_down(int left) {
  if (left == 0) co_return 0;
  co_return 1 + co_await spawn(count_down(left - 1));
}

TEST(co_schedules, a_thread_outside_that_waits_is_woken) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    check(block_on(pool, count_down(5)) == 5, "the chain comes to its end");
  });
}

TEST(co_schedules, a_thread_outside_waits_though_threads_are_refused) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        for (;;) {
          try {
            check(block_on(pool, count_down(3)) == 3, "the chain comes to its end");
            return;
          } catch (const std::system_error&) {
          }
        }
      },
      {.seeds = 300, .most_steps = 50'000, .refused_threads = 2});
}

TEST(co_schedules, jobs_that_wait_for_tasks_let_them_run) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 1}};
    pool.run([] {
      const auto wait = [] { return block_on(spawn(count_down(2))); };
      const auto [left, right] = join(wait, wait);
      check(left + right == 4, "both chains come to their end");
    });
  });
}

task<bool> asked() { co_return (co_await co::get_stop_token()).stop_requested(); }

TEST(co_schedules, a_task_is_cancelled_before_while_or_after_it_runs) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 1}};
    join_handle<bool> begun = spawn(pool, asked());
    nap(std::chrono::microseconds(seed() % 5));
    begun.cancel();
    block_on(pool, co::await_spawned(std::move(begun)));
  });
}

task<> receive_twice(channel<int>& from, attendance& of) {
  ++of.begun;
  try {
    co_await from.receive();
    co_await from.receive();
  } catch (const co::cancelled&) {
  }
  ++of.ended;
}
task<> receive_in_a_fork(channel<int>& from, attendance& of) {
  const auto child = co_await co::fork(receive_twice(from, of));
  co_await receive_twice(from, of);
  co_await co::join;
}

// Its deadlines may come at any time. Abandoned tasks have been asked to stop all the same, so the
// pool's destructor returns.
TEST(co_schedules, a_pool_that_ends_in_time_leaves_no_task_waiting) {
  expect_no_failure([] {
    attendance all;
    channel<int> scarce{1};
    {
      thread_pool pool{{.workers = 2}};
      spawn(pool, receive_twice(scarce, all));
      spawn(pool, receive_in_a_fork(scarce, all));
      thread other{"other", [&] { static_cast<void>(scarce.try_send(1)); }};
      const stop_report report = pool.stop(std::chrono::nanoseconds(seed() % 5000), 1h);
      check(report.abandoned + report.discarded <= 2, "two roots are all there is");
      other.join();
    }
    check(all.begun == all.ended, "each task that has begun ends");
  });
}

TEST(co_schedules, every_task_of_a_pool_that_is_stopped_ends) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    int ended = 0;
    try {
      join_handle<int> first = spawn(pool, count_down(2)), second = spawn(pool, count_down(2));
      thread other{"other", [&] { pool.request_stop(); }};
      for (join_handle<int>* const each : {&first, &second}) {
        try {
          block_on(std::move(*each));
          ++ended;
        } catch (const pool_stopped&) {
          ++ended;
        }
      }
      check(ended == 2, "both have ended");
    } catch (const pool_stopped&) {
    }
  });
}

// -------------------------------------------------------------------------------------------------
// together
task<> add_after_yield(shared<int>& to) {
  co_await co::yield();
  to.write(to.read() + 1);
}
task<int> run_nursery(shared<int>& ran) {
  co::scope nursery;
  for (int i = 0; i < 3; ++i) nursery.spawn(add_after_yield(ran));
  co_await nursery.join();
  co_return ran.read();
}

TEST(co_schedules, a_scope_ends_after_its_children) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 1}};
    shared<int> ran{"ran", 0};
    check(block_on(pool, run_nursery(ran)) == 3, "all children have ended");
  });
}

task<> fail() {
  throw std::runtime_error("as the test wants");
  co_return;
}
/// The other of two children, of which one fails. It may never begin.
struct other_child {
  shared<int> begun{"begun", 0}, stopped{"stopped", 0};
  bool ended_or_never_began() { return begun.read() == stopped.read(); }
};
task<> run_until_stopped(other_child& me) {
  me.begun.write(1);
  const std::stop_token token = co_await co::get_stop_token();
  while (!token.stop_requested()) co_await co::yield();
  me.stopped.write(1);
}
task<> leave_a_nursery(other_child& other, bool joins) {
  co::scope nursery;
  nursery.spawn(run_until_stopped(other));
  nursery.spawn(fail());
  if (joins) co_await nursery.join();
}

TEST(co_schedules, a_scope_that_fails_or_is_left_ends_after_its_children) {
  expect_no_failure([] {
    // The handler is for a scope that is left
    thread_pool pool{{.workers = 2, .on_escaped_exception = [](std::exception_ptr) noexcept {}}};
    other_child other;
    bool failed = false;
    try {
      block_on(pool, leave_a_nursery(other, seed() % 2 == 0));
    } catch (const std::runtime_error&) {
      failed = true;
    }
    check(other.ended_or_never_began() && failed == (seed() % 2 == 0),
          "the other child was asked to stop, and waited for");
  });
}

task<> cancel_a_tree(other_child& other) {
  co::scope outer;
  outer.spawn(leave_a_nursery(other, true));
  outer.cancel();
  try {
    co_await outer.join();
  } catch (const std::runtime_error&) {
  }
}

TEST(co_schedules, a_cancelled_scope_ends) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    other_child other;
    block_on(pool, cancel_a_tree(other));
    check(other.ended_or_never_began(), "the child was asked to stop");
  });
}

TEST(co_schedules, the_first_of_two_wins_and_both_end) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    const auto first = block_on(pool, when_any(give(1), count_down(2)));
    check(first.index == 0 ? std::get<0>(first.value) == 1 : std::get<1>(first.value) == 2,
          "the result is the winner's");
    check(block_on(pool, when_all(give(1), count_down(2))) == std::tuple{1, 2}, "both have ended");
  });
}

// -------------------------------------------------------------------------------------------------
// forked
task<int> count_leaves(shared<int>& ended, int depth, bool yields) {
  if (depth == 0) {
    if (yields) co_await co::yield();
    co_return 1;
  }
  co::forked<int> left = co_await co::fork(count_leaves(ended, depth - 1, yields));
  co::forked<int> middle = co_await co::fork(give(1));
  const int right = co_await count_leaves(ended, depth - 1, !yields);
  co_await co::join;
  co_return left.get() + middle.get() + right;
}

TEST(co_schedules, forks_are_joined_whatever_is_stolen) {
  for (const strategy how : {strategy::any, strategy::steal_everything, strategy::steal_nothing}) {
    expect_no_failure(
        [] {
          thread_pool pool{{.workers = 2}};
          shared<int> ended{"ended", 0};
          check(block_on(pool, count_leaves(ended, 3, seed() % 2 == 0)) == 15,
                "every leaf is counted");
        },
        {.seeds = 200, .who_goes_on = how, .most_steps = 50'000});
  }
}

TEST(co_schedules, forks_of_two_tasks_share_fork_stacks) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        shared<int> ended{"ended", 0};
        const bool yields = seed() % 2 == 0;
        const auto [left, right] = block_on(
            pool, when_all(count_leaves(ended, 2, yields), count_leaves(ended, 2, !yields)));
        check(left == 7 && right == 7, "every leaf is counted");
      },
      {.seeds = 1000, .most_steps = 50'000});
}

task<> fork_and_fail(shared<int>& ended, int fails) {
  co::forked<> one = co_await co::fork(add(ended));
  co::forked<> two = co_await co::fork(fail());
  co::forked<> three = co_await co::fork(fail());
  if (fails == 0) throw std::runtime_error("of its own");
  if (fails == 1) co_await co::join;
}

TEST(co_schedules, what_a_coroutine_forked_ends_before_it) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    shared<int> ended{"ended", 0};
    bool failed = false;
    try {
      block_on(pool, fork_and_fail(ended, static_cast<int>(seed() % 3)));
    } catch (const std::runtime_error&) {
      failed = true;
    }
    check(ended.read() == 1 && failed, "all have ended, and the failure is told");
  });
}

task<> leave_a_fork(shared<int>& ended) {
  const co::forked<> left = co_await co::fork(add_after_yield(ended));
  throw std::runtime_error("as the test wants");
}

TEST(co_schedules, a_fork_that_is_left_ends_though_threads_are_refused) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 1}};
        shared<int> ended{"ended", 0};
        while (ended.read() == 0) {
          try {
            block_on(pool, leave_a_fork(ended));
          } catch (const std::system_error&) {
          } catch (const std::runtime_error&) {
            check(ended.read() == 1, "its handle has waited for it");
          }
        }
      },
      {.seeds = 300, .most_steps = 50'000, .refused_threads = 2});
}

task<int> fork_within_a_join(shared<int>& ended) {
  const auto wait = [&] { return block_on(count_leaves(ended, 1, true)); };
  co::forked<int> left = co_await co::fork(count_leaves(ended, 1, false));
  const auto [second, third] = join(wait, wait);
  co_await co::join;
  co_return left.get() + second + third;
}

TEST(co_schedules, joins_and_forks_nest) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    shared<int> ended{"ended", 0};
    const auto count = [&] { return block_on(fork_within_a_join(ended)); };
    const auto [left, right] = pool.run([&] { return join(count, count); });
    check(left + right == 18, "every leaf is counted");
  });
}

task<int> go_there_and_back(thread_pool& home, thread_pool& other) {
  co_await co::schedule_on(other);
  const int there = other.is_current();
  co_await co::schedule_on(home);
  co_return there + home.is_current();
}

TEST(co_schedules, a_task_moves_between_pools) {
  expect_no_failure([] {
    thread_pool home{{.workers = 1}}, other{{.workers = 1}};
    join_handle<int> one = spawn(home, go_there_and_back(home, other));
    check(block_on(home, go_there_and_back(home, other)) == 2, "it runs where it wants to");
    check(block_on(std::move(one)) == 2, "the other one, too");
  });
}

}  // namespace
}  // namespace filch::testing
