// Tasks of a pool that is ended with a deadline.
#include <filch/co/block_on.hpp>
#include <filch/co/fork.hpp>
#include <filch/co/scope.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/stop_token.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/visitors_test.hpp>
#include <filch/co/yield.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/stop.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;
using co::sync::widths;

TEST(stop, returns_at_once_where_nothing_is_left) {
  thread_pool pool{{.workers = 2}};
  pool.run([] {});
  const stop_report report = pool.stop(1h);
  EXPECT_TRUE(report.is_finished());
  EXPECT_EQ(to_string(report), "everything has ended");
  EXPECT_THROW(pool.submit([] {}), pool_stopped);
  EXPECT_THROW(pool.run([] {}), pool_stopped);
  EXPECT_TRUE(pool.stop(1h).is_finished()) << "a second time";
}

void submit_a_chain(thread_pool& pool, int length, std::atomic<int>& ran) {
  ++ran;
  if (length > 1) pool.submit([&pool, length, &ran] { submit_a_chain(pool, length - 1, ran); });
}

TEST(stop, finishes_what_was_submitted_and_all_that_this_begins) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> ran{0};
    for (int i = 0; i < 10; ++i) pool.submit([&] { submit_a_chain(pool, 1000, ran); });
    const stop_report report = pool.stop(1h);
    EXPECT_TRUE(report.is_finished());
    EXPECT_EQ(report.discarded, 0u);
    EXPECT_EQ(ran, 10'000);
  }
}

TEST(stop, takes_nothing_from_outside_meanwhile) {
  thread_pool pool{{.workers = 1}};
  std::atomic<bool> may_end{false}, was_refused{false};
  pool.submit([&] {
    while (!may_end) std::this_thread::yield();
  });
  std::thread outsider{[&] {
    try {
      for (;;) pool.submit([] {});
    } catch (const pool_stopped&) {
      was_refused = true;
    }
    may_end = true;
  }};
  EXPECT_TRUE(pool.stop(1h).is_finished());
  outsider.join();
  EXPECT_TRUE(was_refused);
}

// -------------------------------------------------------------------------------------------------
// the deadline
task<> sleep(visitors& who) {
  const visitors::stay here{who};
  co_await sleep_for(1h);
}
task<> look(visitors& who) {
  const visitors::stay here{who};
  const std::stop_token asked = co_await co::get_stop_token();
  while (!asked.stop_requested()) co_await co::yield();
}

TEST(stop, ends_tasks_that_wait_at_the_deadline) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    channel<int> never{1};
    visitors who;
    for (int i = 0; i < 50; ++i) {
      spawn(pool, receive(never, who));
      spawn(pool, sleep(who));
      spawn(pool, look(who));
    }
    await(who.inside, 150);
    const stop_report report = pool.stop(1ms, 1h);
    EXPECT_TRUE(report.is_finished()) << to_string(report);
    EXPECT_EQ(who.inside, 0);
  }
}

task<> fork_two(channel<int>& from, visitors& who) {
  const auto first = co_await co::fork(receive(from, who));
  co_await receive(from, who);
  co_await co::join;
}
task<> nurse_two(channel<int>& from, visitors& who) {
  co::scope nursery;
  nursery.spawn(receive(from, who));
  nursery.spawn(receive(from, who));
  co_await nursery.join();
}
task<> nest(channel<int>& from, visitors& who) { co_await receive(from, who); }
task<> await_another(channel<int>& from, visitors& who) { co_await spawn(receive(from, who)); }

TEST(stop, reaches_tasks_that_others_wait_for) {
  thread_pool pool{{.workers = 2}};
  channel<int> never{1};
  visitors who;
  spawn(pool, fork_two(never, who));
  spawn(pool, nurse_two(never, who));
  spawn(pool, nest(never, who));
  spawn(pool, await_another(never, who));
  await(who.inside, 6);
  const stop_report report = pool.stop(1ms, 1h);
  EXPECT_TRUE(report.is_finished()) << to_string(report);
  EXPECT_EQ(who.inside, 0);
}

task<> wait_once_let_go(const std::atomic<bool>& lets_go, channel<int>& from, visitors& who) {
  const visitors::stay here{who};
  while (!lets_go) co_await co::yield();
  co_await from.receive();
}

TEST(stop, reaches_tasks_that_begin_to_wait_later) {
  thread_pool pool{{.workers = 2}};
  channel<int> never{1};
  visitors who;
  std::atomic<bool> lets_go{false};
  for (int i = 0; i < 10; ++i) spawn(pool, wait_once_let_go(lets_go, never, who));
  await(who.inside, 10);
  EXPECT_EQ(pool.stop(0ms, 0ms).abandoned, 10u);
  lets_go = true;
  EXPECT_TRUE(pool.stop(1h).is_finished());
  EXPECT_EQ(who.inside, 0);
}

TEST(stop, discards_what_has_not_begun) {
  thread_pool pool{{.workers = 1}};
  std::atomic<bool> may_end{false};
  std::atomic<int> began{0}, ran{0};
  const auto captured = std::make_shared<int>(0);
  pool.submit([&] {
    ++began;
    while (!may_end) std::this_thread::yield();
  });
  await(began, 1);
  for (int i = 0; i < 100; ++i) pool.submit([&ran, captured] { ++ran; });
  std::thread later{[&] {
    while (!pool.core().admits().is_stopped()) std::this_thread::yield();  // then nothing begins
    may_end = true;
  }};
  const stop_report report = pool.stop(1ms, 1h);
  later.join();
  EXPECT_TRUE(report.is_finished());
  EXPECT_EQ(report.discarded, 100u);
  EXPECT_EQ(to_string(report), "0 abandoned, 100 discarded");
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(captured.use_count(), 1);
}

task<> poll(std::stop_token asked, visitors& who) {
  const visitors::stay here{who};
  while (!asked.stop_requested()) co_await co::yield();
}
task<> leave_a_child_behind(std::optional<co::forked<>>& child, visitors& who) {
  child.emplace(co_await co::fork(poll(co_await co::get_stop_token(), who)));
}

TEST(stop, reaches_what_a_task_has_left_behind) {
  thread_pool pool{{.workers = 2}};
  visitors who;
  std::optional<co::forked<>> child;
  auto parent = spawn(pool, leave_a_child_behind(child, who));
  await(who.inside, 1);
  const stop_report report = pool.stop(1ms, 1h);
  EXPECT_TRUE(report.is_finished()) << to_string(report);
  EXPECT_EQ(who.inside, 0);
}

TEST(stop, asks_those_who_come_to_wait_when_all_had_ended) {
  thread_pool pool{{.workers = 1}};
  channel<int> never{1};
  visitors who;
  std::atomic<int> inside{0};
  std::atomic<bool> is_stopped{false}, was_cancelled{false};
  std::thread visitor{[&] {
    pool.run([&] {
      ++inside;
      while (!is_stopped) std::this_thread::yield();
      try {
        block_on(receive(never, who));
      } catch (const co::cancelled&) {
        was_cancelled = true;
      }
    });
  }};
  await(inside, 1);
  EXPECT_TRUE(pool.stop(1h).is_finished());
  is_stopped = true;
  visitor.join();
  EXPECT_TRUE(was_cancelled);
}

// -------------------------------------------------------------------------------------------------
// the report
task<> never_look_again(const std::atomic<bool>& may_end, visitors& who) {
  static_cast<void>(co_await co::get_stop_token());
  const visitors::stay here{who};
  while (!may_end) co_await co::yield();
}
task<> wait_and_go_on(const std::atomic<bool>& may_end, visitors& who) {
  const visitors::stay here{who};
  try {
    co_await sleep_for(1h);
  } catch (const co::cancelled&) {
  }
  while (!may_end) co_await co::yield();
}

TEST(stop, names_what_would_not_end) {
  thread_pool pool{{.workers = 2}};
  std::atomic<bool> may_end{false};
  std::atomic<int> began{0};
  visitors who;
  for (int i = 0; i < 3; ++i) spawn(pool, wait_and_go_on(may_end, who));
  spawn(pool, never_look_again(may_end, who));
  await(who.inside, 4);
  pool.submit([&] {
    ++began;
    while (!may_end) std::this_thread::yield();
  });
  await(began, 1);
  const stop_report report = pool.stop(1ms, 50ms);
  may_end = true;
  EXPECT_TRUE(pool.stop(1h).is_finished()) << "what was abandoned went on";
  EXPECT_EQ(report.abandoned, 5u);
  ASSERT_EQ(report.named.size(), 2u);
  EXPECT_EQ(report.named[0].function, "wait_and_go_on");
  EXPECT_EQ(report.named[0].count, 3u);
  EXPECT_EQ(to_string(report),
            "5 abandoned (3 wait_and_go_on, 1 never_look_again, 1 others), 0 discarded");
}

TEST(stop, knows_no_name_of_jobs) {
  thread_pool pool{{.workers = 1}};
  std::atomic<bool> may_end{false};
  std::atomic<int> began{0};
  pool.submit([&] {
    ++began;
    while (!may_end) std::this_thread::yield();
  });
  await(began, 1);
  EXPECT_EQ(to_string(pool.stop(0ms, 0ms)), "1 abandoned (1 without a name), 0 discarded");
  may_end = true;
  EXPECT_TRUE(pool.stop(1h).is_finished());
}

}  // namespace
}  // namespace filch
