// Conditions: no waiter misses a notice, and every wait returns with the lock.
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/sync/mixed_test.hpp>

#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace filch::inline v0_2::co::sync {
namespace {

/// A queue with room for two, as with std::condition_variable.
struct bounded {
  async_mutex lock;
  async_condition not_full, not_empty;
  std::deque<long> values;
};
task<> put_in(bounded& to, int times) {
  for (long i = 1; i <= times; ++i) {
    async_lock held = co_await to.lock.lock();
    while (to.values.size() == 2) co_await to.not_full.wait(held);
    to.values.push_back(i);
    to.not_empty.notify_one();
  }
}
task<> take_out(bounded& from, int times, std::atomic<long>& sum) {
  for (int i = 0; i < times; ++i) {
    async_lock held = co_await from.lock.lock();
    while (from.values.empty()) co_await from.not_empty.wait(held);
    EXPECT_TRUE(held);
    sum += from.values.front();
    from.values.pop_front();
    from.not_full.notify_one();
  }
}
void put_in_by_thread(bounded& to, int times) {
  for (long i = 1; i <= times; ++i) {
    async_lock held = filch::wait(to.lock.lock());
    while (to.values.size() == 2) filch::wait(to.not_full.wait(held));
    to.values.push_back(i);
    to.not_empty.notify_one();
  }
}
void take_out_by_thread(bounded& from, int times, std::atomic<long>& sum) {
  for (int i = 0; i < times; ++i) {
    async_lock held = filch::wait(from.lock.lock());
    while (from.values.empty()) filch::wait(from.not_empty.wait(held));
    sum += from.values.front();
    from.values.pop_front();
    from.not_full.notify_one();
  }
}

TEST(async_condition, misses_no_notice_for_any_kind_of_waiter) {
  constexpr int times = 200;
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    bounded queue;
    std::atomic<long> sum{0};
    std::thread takes{[&] {
      run_mixed(
          pool, 2, [&](int) { return take_out(queue, times, sum); },
          [&](int) { take_out_by_thread(queue, times, sum); });
    }};
    run_mixed(
        pool, 2, [&](int) { return put_in(queue, times); },
        [&](int) { put_in_by_thread(queue, times); });
    takes.join();
    EXPECT_EQ(sum, 6L * times * (times + 1) / 2);
  }
}

struct gate {
  async_mutex lock;
  async_condition opened;
  int tickets = 0;
  std::string order;
};
task<> pass(gate& at, char who) {
  async_lock held = co_await at.lock.lock();
  while (at.tickets == 0) co_await at.opened.wait(held);
  --at.tickets;
  at.order += who;
}
task<> open_by_and_by(gate& at) {
  scope nursery;
  for (const char who : {'a', 'b', 'c', 'd'}) {
    nursery.spawn(pass(at, who));
    co_await co::yield();
  }
  {
    const async_lock held = co_await at.lock.lock();
    at.tickets = 1;
    at.opened.notify_one();
    co_await co::yield();
    EXPECT_EQ(at.order, "") << "a notified waiter waits for the lock";
  }
  for (int i = 0; i < 3; ++i) co_await co::yield();
  EXPECT_EQ(at.order, "a");
  {
    const async_lock held = co_await at.lock.lock();
    at.tickets = 3;
  }
  at.opened.notify_all();
  co_await nursery.join();
}

TEST(async_condition, lets_go_on_one_or_all_in_order_of_arrival) {
  thread_pool pool{{.workers = 1}};
  gate at;
  block_on(spawn(pool, open_by_and_by(at)));
  EXPECT_EQ(at.order, "abcd");
  at.opened.notify_one();  // no task waits
  EXPECT_TRUE(at.lock.try_lock());
}

task<bool> wait_for_ever(gate& at) {
  async_lock held = filch::wait(at.lock.lock());
  try {
    for (;;) co_await at.opened.wait(held);
  } catch (const cancelled&) {
    EXPECT_EQ(held.mutex(), &at.lock) << "it has the lock again";
    ++at.tickets;
    co_return true;
  }
}
task<> cancel_under_the_lock(gate& at) {
  join_handle<bool> waits = spawn(wait_for_ever(at));
  co_await co::yield();
  {
    const async_lock held = co_await at.lock.lock();
    waits.cancel();
    for (int i = 0; i < 3; ++i) co_await co::yield();
    EXPECT_EQ(at.tickets, 0) << "the lock is held here";
  }
  EXPECT_TRUE(co_await waits);
  EXPECT_TRUE(at.lock.try_lock());
}

TEST(async_condition, has_the_lock_when_it_is_asked_to_stop) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    gate at;
    block_on(spawn(pool, cancel_under_the_lock(at)));
  }
}

task<> notify_often(gate& at, int times) {
  for (int i = 0; i < times; ++i) {
    at.opened.notify_all();
    co_await co::yield();
  }
}

TEST(async_condition, survives_notices_beside_requests_to_stop) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 200; ++round) {
      gate at;
      join_handle<bool> first = spawn(pool, wait_for_ever(at)),
                        second = spawn(pool, wait_for_ever(at));
      join_handle<> notifies = spawn(pool, notify_often(at, 10));
      std::thread{[&] { first.cancel(); }}.join();
      EXPECT_TRUE(block_on(pool, await_spawned(std::move(first))));
      second.cancel();
      EXPECT_TRUE(block_on(pool, await_spawned(std::move(second))));
      block_on(pool, await_spawned(std::move(notifies)));
      EXPECT_EQ(at.tickets, 2);
    }
  }
}

foreign_coroutine wait_as_a_stranger(gate& at, int& passed) {
  async_lock held = co_await at.lock.lock();
  while (at.tickets == 0) {
    co_await at.opened.wait(held);
  }
  ++passed;
}

TEST(async_condition, forgets_a_waiter_that_is_destroyed) {
  gate at;
  int passed = 0;
  { const foreign_coroutine gone = wait_as_a_stranger(at, passed); }
  const foreign_coroutine waits = wait_as_a_stranger(at, passed);
  {
    const async_lock held = at.lock.try_lock();
    ASSERT_TRUE(held);
    at.tickets = 1;
    at.opened.notify_all();
    EXPECT_FALSE(waits.has_ended());
  }
  EXPECT_TRUE(waits.has_ended());
  EXPECT_EQ(passed, 1);
  EXPECT_TRUE(at.lock.try_lock());
}

TEST(async_condition_death, is_waited_for_with_its_lock_held) {
  gate at;
  async_lock none;
  EXPECT_DEATH(filch::wait(at.opened.wait(none)), "with its lock held");
}

}  // namespace
}  // namespace filch::co::sync
