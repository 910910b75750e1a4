// Events, barriers and latches: a waiter goes on after what it waited for, never before.
#include <filch/co/sync/mixed_test.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

namespace filch::inline v0_2::co::sync {
namespace {

task<> see_it(async_event& event, const int& written, std::atomic<int>& seen) {
  co_await event.wait();
  seen += written;
}

TEST(async_event, wakes_all_waiters_and_shows_them_what_was_before) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 20; ++round) {
      async_event event;
      int written = 0;
      std::atomic<int> seen{0};
      std::thread setter{[&] {
        written = 1;
        event.set();
      }};
      run_mixed(
          pool, 3, [&](int) { return see_it(event, written, seen); },
          [&](int) {
            filch::wait(event.wait());
            seen += written;
          });
      setter.join();
      EXPECT_EQ(seen, 9);
    }
  }
}

task<> wait_twice(async_event& event, int& passed) {
  co_await event.wait();
  ++passed;
  event.reset();
  co_await event.wait();
  ++passed;
}
task<> set_and_look(async_event& event, int& passed) {
  join_handle<> waits = spawn(wait_twice(event, passed));
  co_await co::yield();
  EXPECT_EQ(passed, 0);
  event.set();
  EXPECT_TRUE(event.is_set());
  co_await co::yield();
  EXPECT_EQ(passed, 1);
  EXPECT_FALSE(event.is_set());
  event.set();
  co_await waits;
  EXPECT_EQ(passed, 2);
}

TEST(async_event, waits_again_after_a_reset) {
  thread_pool pool{{.workers = 1}};
  async_event event;
  int passed = 0;
  block_on(spawn(pool, set_and_look(event, passed)));
}

TEST(async_event, may_be_destroyed_by_the_thread_that_saw_it) {
  for (int round = 0; round < 2000; ++round) {
    std::optional<async_event> event{std::in_place};
    std::thread setter{[&at = *event] { at.set(); }};
    filch::wait(event->wait());
    event.reset();
    setter.join();
  }
}

foreign_coroutine wait_as_a_stranger(async_event& event, int& passed) {
  co_await event.wait();
  ++passed;
}

TEST(async_event, wakes_coroutines_of_other_libraries_where_it_is_set) {
  async_event event;
  int passed = 0;
  const foreign_coroutine waits = wait_as_a_stranger(event, passed);
  EXPECT_FALSE(waits.has_ended());
  event.set();
  EXPECT_TRUE(waits.has_ended());
  EXPECT_EQ(passed, 1);
}

TEST(async_event, forgets_a_waiter_that_is_destroyed) {
  async_event event;
  int passed = 0;
  const foreign_coroutine first = wait_as_a_stranger(event, passed);
  { const foreign_coroutine gone = wait_as_a_stranger(event, passed); }
  const foreign_coroutine last = wait_as_a_stranger(event, passed);
  event.set();
  EXPECT_EQ(passed, 2);
}

TEST(wait_list, ends_a_wait_that_need_not_wait) {
  wait_list list;
  wait_link waits;
  EXPECT_TRUE(list.settle_or_list(waits, true));
  EXPECT_EQ(waits.at, wait_link::state::served) << "an interrupt comes too late";
  EXPECT_TRUE(list.is_empty());
}

TEST(wait_list, lets_waiters_leave_from_anywhere) {
  for (int leaves = 0; leaves < 3; ++leaves) {
    wait_list list;
    std::array<wait_link, 3> waiters;
    for (wait_link& each : waiters) EXPECT_FALSE(list.settle_or_list(each, false));
    list.remove(waiters[leaves]);
    EXPECT_EQ(list.size(), 2);
    for (int i = 0; i < 3; ++i) {
      if (i == leaves) continue;
      EXPECT_EQ(list.serve_first(), &waiters[i]);
    }
    EXPECT_TRUE(list.is_empty());
  }
}

// -------------------------------------------------------------------------------------------------
// meetings
task<> meet_often(async_barrier& barrier, std::vector<std::atomic<int>>& came, int each) {
  for (std::atomic<int>& round : came) {
    ++round;
    co_await barrier.arrive_and_wait();
    EXPECT_EQ(round, each);
  }
}
void meet_often_by_thread(async_barrier& barrier, std::vector<std::atomic<int>>& came, int each) {
  for (std::atomic<int>& round : came) {
    ++round;
    filch::wait(barrier.arrive_and_wait());
    EXPECT_EQ(round, each);
  }
}

TEST(async_barrier, lets_nobody_pass_before_all_have_come_again_and_again) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    async_barrier barrier{9};
    std::vector<std::atomic<int>> came(50);
    run_mixed(
        pool, 3, [&](int) { return meet_often(barrier, came, 9); },
        [&](int) { meet_often_by_thread(barrier, came, 9); });
  }
}

task<bool> meet(async_barrier& barrier) {
  try {
    co_await barrier.arrive_and_wait();
  } catch (const cancelled&) {
    co_return false;
  }
  co_return true;
}
task<> cancel_one_that_came(async_barrier& barrier) {
  join_handle<bool> leaves = spawn(meet(barrier));
  co_await co::yield();
  leaves.cancel();
  EXPECT_FALSE(co_await leaves);
  join_handle<bool> second = spawn(meet(barrier));
  co_await co::yield();
  EXPECT_FALSE(second.is_finished()) << "one of two is here";
  co_await barrier.arrive_and_wait();
  EXPECT_TRUE(co_await second);
}

TEST(async_barrier, does_not_count_a_cancelled_task) {
  thread_pool pool{{.workers = 1}};
  async_barrier barrier{2};
  block_on(spawn(pool, cancel_one_that_came(barrier)));
}

task<bool> meet_once_asked(async_barrier& barrier) {
  const std::stop_token asked = co_await co::get_stop_token();
  while (!asked.stop_requested()) co_await co::yield();
  co_return co_await meet(barrier);
}
task<> cancel_who_comes_last(async_barrier& barrier, int before) {
  std::vector<join_handle<bool>> others;
  for (int i = 0; i < before; ++i) others.push_back(spawn(meet(barrier)));
  join_handle<bool> last = spawn(meet_once_asked(barrier));
  co_await co::yield();
  last.cancel();
  EXPECT_TRUE(co_await last);
  for (join_handle<bool>& each : others) EXPECT_TRUE(co_await each);
}

TEST(async_barrier, counts_the_last_to_come_though_it_was_asked_to_stop) {
  thread_pool pool{{.workers = 1}};
  for (const int before : {0, 1, 3}) {
    async_barrier barrier{static_cast<std::size_t>(before) + 1};
    block_on(spawn(pool, cancel_who_comes_last(barrier, before)));
  }
}

// -------------------------------------------------------------------------------------------------
// latches
task<> arrive(async_latch& latch, std::atomic<int>& came, int all) {
  ++came;
  co_await latch.arrive_and_wait();
  EXPECT_EQ(came, all);
}

TEST(async_latch, lets_nobody_pass_before_all_have_come) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 20; ++round) {
      async_latch latch{9};
      std::atomic<int> came{0};
      run_mixed(
          pool, 3, [&](int) { return arrive(latch, came, 9); },
          [&](int) {
            ++came;
            filch::wait(latch.arrive_and_wait());
            EXPECT_EQ(came, 9);
          });
    }
  }
}

TEST(async_latch, counts_down_by_more_than_one) {
  async_latch latch{5};
  latch.count_down(2);
  latch.count_down(0);
  EXPECT_FALSE(latch.is_zero());
  latch.count_down(3);
  EXPECT_TRUE(latch.is_zero());
  filch::wait(latch.wait());
  EXPECT_TRUE(async_latch{0}.is_zero());
}

TEST(async_latch_death_test, ends_the_process_when_it_falls_below_zero) {
  async_latch latch{1};
  EXPECT_DEATH(latch.count_down(2), "a latch is not counted down below zero");
}

foreign_coroutine block_for_who_stands_behind(async_event& event, async_event& other_went_on) {
  co_await event.wait();
  filch::wait(other_went_on.wait());
}
task<> wait_and_go_on(async_event& event, async_event& went_on) {
  co_await event.wait();
  went_on.set();
}
task<> set_for_both(async_event& event, async_event& went_on) {
  const foreign_coroutine first = block_for_who_stands_behind(event, went_on);
  join_handle<> second = spawn(wait_and_go_on(event, went_on));
  co_await co::yield();
  event.set();
  EXPECT_TRUE(first.has_ended());
  co_await second;
}

TEST(async_event, wakes_everybody_before_it_runs_a_stranger_that_may_wait_for_them) {
  thread_pool pool{{.workers = 1}};
  async_event event, went_on;
  block_on(spawn(pool, set_for_both(event, went_on)));
}

}  // namespace
}  // namespace filch::co::sync
