// The primitives under many schedules.
#include <filch/co.hpp>
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/sync/side_by_side_test.hpp>
#include <filch/fork.hpp>
#include <filch/sync.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

namespace filch::inline v0_2::testing {
namespace {

// -------------------------------------------------------------------------------------------------
// locks
task<> add_one(async_mutex& lock, shared<int>& to) {
  const async_lock held = co_await lock.lock();
  const int before = to.read();
  co_await co::yield();
  to.write(before + 1);
}
void add_one_by_thread(async_mutex& lock, shared<int>& to) {
  const async_lock held = filch::wait(lock.lock());
  to.write(to.read() + 1);
}

TEST(sync_schedules, tasks_and_threads_hold_a_lock_one_at_a_time) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_mutex lock;
    shared<int> sum{"sum", 0};
    const auto add = [&] { add_one_by_thread(lock, sum); };
    side_by_side(pool, add_one(lock, sum), add, add);
    const async_lock held = lock.try_lock();
    check(held && sum.read() == 3, "all had their turn, and it is free");
  });
}

task<> add_one_alone(async_shared_mutex& lock, shared<int>& to) {
  const auto held = co_await lock.lock();
  const int before = to.read();
  co_await co::yield();
  to.write(before + 1);
}
task<> look_twice(async_shared_mutex& lock, shared<int>& at) {
  const auto held = co_await lock.lock_shared();
  const int before = at.read();
  co_await co::yield();
  check(at.read() == before, "nobody writes while it is shared");
}
task<> write_and_look(async_shared_mutex& lock, shared<int>& value) {
  co_await add_one_alone(lock, value);
  co_await look_twice(lock, value);
}

TEST(sync_schedules, an_exclusive_owner_of_a_shared_mutex_is_alone) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_shared_mutex lock;
    shared<int> value{"value", 0};
    const auto write = [&] {
      const auto held = filch::wait(lock.lock());
      value.write(value.read() + 1);
    };
    const auto look = [&] {
      const auto held = filch::wait(lock.lock_shared());
      check(value.read() == value.read(), "nobody writes while it is shared");
    };
    join_handle<> looks = spawn(pool, look_twice(lock, value));
    side_by_side(pool, write_and_look(lock, value), look, write);
    block_on(std::move(looks));
    const auto held = lock.try_lock();
    check(held && value.read() == 2, "all had their turn, and it is free");
  });
}

TEST(sync_schedules, a_waiter_that_leaves_a_shared_mutex_holds_up_nobody) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_shared_mutex lock;
    shared<int> value{"value", 0};
    {
      const auto shares = lock.try_lock_shared();
      join_handle<> leaves = spawn(pool, add_one_alone(lock, value)),
                    looks = spawn(pool, look_twice(lock, value));
      {
        thread canceller{"canceller", [&] { leaves.cancel(); }};
        block_on(std::move(looks));  // waits behind `leaves`, or enters beside `shares`
      }
      try {
        block_on(std::move(leaves));
        check(false, "it cannot have been alone");
      } catch (const co::cancelled&) {
      }
    }
    check(value.read() == 0 && lock.try_lock(), "nobody wrote, and it is free");
  });
}

TEST(sync_schedules, a_job_that_waits_lets_its_other_half_run) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 1}};
    async_event event;
    pool.run([&] { join([&] { filch::wait(event.wait()); }, [&] { event.set(); }); });
  });
}

task<> count_down(async_latch& latch, shared<int>& left) {
  left.write(left.read() + 1);
  latch.count_down();
  co_return;
}

TEST(sync_schedules, a_latch_ends_after_the_last_and_may_be_destroyed) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    shared<int> first{"first", 0}, second{"second", 0};
    {
      async_latch latch{2};
      spawn(pool, count_down(latch, first));
      spawn(pool, count_down(latch, second));
      filch::wait(latch.wait());
    }
    check(first.read() + second.read() == 2, "both have been there");
  });
}

// -------------------------------------------------------------------------------------------------
// meetings
task<> meet_twice(async_barrier& at, std::atomic<int>& came) {
  for (int round = 1; round <= 2; ++round) {
    ++came;
    co_await at.arrive_and_wait();
    check(came >= 3 * round, "all have come");
  }
}

TEST(sync_schedules, a_barrier_lets_nobody_go_before_all_have_come) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_barrier barrier{3};
    std::atomic<int> came{0};
    const auto meet = [&] { block_on(meet_twice(barrier, came)); };
    const auto meet_as_a_thread = [&] {
      for (int round = 1; round <= 2; ++round) {
        ++came;
        filch::wait(barrier.arrive_and_wait());
        check(came >= 3 * round, "all have come");
      }
    };
    side_by_side(pool, meet_twice(barrier, came), meet, meet_as_a_thread);
  });
}

task<bool> meet_one(async_barrier& at) {
  try {
    co_await at.arrive_and_wait();
  } catch (const co::cancelled&) {
    co_return false;
  }
  co_return true;
}

TEST(sync_schedules, a_task_that_leaves_a_barrier_has_not_arrived) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_barrier barrier{2};
    auto leaves = spawn(pool, meet_one(barrier)), stays = spawn(pool, meet_one(barrier));
    thread other{"other", [&] { filch::wait(barrier.arrive_and_wait()); }};
    thread canceller{"canceller", [&] { leaves.cancel(); }};
    nap(std::chrono::nanoseconds(seed() % 500));
    canceller.join();
    // It met one of the two, so the other still waits
    if (block_on(std::move(leaves))) filch::wait(barrier.arrive_and_wait());
    check(block_on(std::move(stays)), "the task that stays meets another");
  });
}

// -------------------------------------------------------------------------------------------------
// conditions
struct tickets {
  async_mutex lock;
  async_condition more;
  int left = 0;
};
task<bool> take_ticket(tickets& from) {
  async_lock held;
  try {
    held = co_await from.lock.lock();
    while (from.left == 0) co_await from.more.wait(held);
  } catch (const co::cancelled&) {
    check(!held || held.mutex() == &from.lock, "it has the lock again");
    co_return false;
  }
  check(held && from.left > 0, "there is one, and it has the lock");
  --from.left;
  co_return true;
}

TEST(sync_schedules, a_condition_misses_no_notice_and_gives_the_lock_back) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    tickets all;
    {
      auto stays = spawn(pool, take_ticket(all)), leaves = spawn(pool, take_ticket(all));
      {
        thread canceller{"canceller", [&] { leaves.cancel(); }};
        {
          const async_lock held = filch::wait(all.lock.lock());
          all.left = 2;
        }
        all.more.notify_one();
        all.more.notify_one();
      }
      check(block_on(pool, co::await_spawned(std::move(stays))), "there was a ticket for it");
      all.left -= block_on(pool, co::await_spawned(std::move(leaves))) ? 0 : 1;
    }
    check(all.left == 0 && all.lock.try_lock(), "nothing is left, and the lock is free");
  });
}

// -------------------------------------------------------------------------------------------------
// broadcasts
task<int> listen(broadcast<int>::receiver from) {
  int sum = 0;
  while (const auto got = co_await from.receive()) sum += *got;
  co_return sum;
}

TEST(sync_schedules, a_broadcast_reaches_all_receivers) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    broadcast<int> values{4};
    auto outside = values.subscribe();
    join_handle<int> first = spawn(pool, listen(values.subscribe())),
                     second = spawn(pool, listen(values.subscribe()));
    {
      thread sender{"sender", [&] { static_cast<void>(values.send(1)); }};
      static_cast<void>(values.send(10));
      const int one = *filch::wait(outside.receive()), other = *filch::wait(outside.receive());
      check(one + other == 11, "both, in some order");
    }
    values.close();
    check(block_on(pool, co::await_spawned(std::move(first))) == 11, "both");
    check(block_on(pool, co::await_spawned(std::move(second))) == 11, "both");
  });
}

// -------------------------------------------------------------------------------------------------
// asked to stop
task<> take_and_put_back(async_semaphore& permits) {
  const async_permit held = co_await permits.acquire();
}

TEST(sync_schedules, a_request_to_stop_races_with_the_wake) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_semaphore permits{0};
    {
      join_handle<> leaves = spawn(pool, take_and_put_back(permits)),
                    stays = spawn(pool, take_and_put_back(permits));
      {
        thread canceller{"canceller", [&] { leaves.cancel(); }};
        permits.put_back();
        block_on(pool, co::await_spawned(std::move(stays)));
      }
      try {
        block_on(pool, co::await_spawned(std::move(leaves)));
      } catch (const co::cancelled&) {
      }
    }
    check(permits.try_acquire() && !permits.try_acquire(2), "the permit is there at the end");
  });
}

task<bool> take(async_semaphore& permits) {
  try {
    (co_await permits.acquire()).detach();
  } catch (const co::cancelled&) {
    co_return false;
  }
  co_return true;
}

TEST(sync_schedules, an_endless_wait_ends_when_it_is_cancelled) {
  const auto cancel_soon = [] {
    thread_pool pool{{.workers = 2}};
    async_semaphore permits{0};
    join_handle<bool> waits = spawn(pool, take(permits));
    nap(std::chrono::nanoseconds(seed() % 2'000));
    waits.cancel();
    check(!block_on(pool, co::await_spawned(std::move(waits))), "there is no permit to take");
  };
  // Few seeds stop it just before it waits
  expect_no_failure(cancel_soon, {.seeds = 5'000, .most_steps = 50'000});
}

task<int> receive_until_cancelled(channel<int>& from) {
  int sum = 0;
  try {
    while (const std::optional<int> found = co_await from.receive()) sum += *found;
  } catch (const co::cancelled&) {
  }
  co_return sum;
}

TEST(sync_schedules, a_value_that_was_taken_is_not_lost_by_a_request_to_stop) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    channel<int> values{unbounded};
    join_handle<int> leaves = spawn(pool, receive_until_cancelled(values));
    int sum = 0;
    {
      thread sender{"sender", [&] {
                      for (const int each : {1, 2, 3})
                        check(values.try_send(int{each}) == send_result::sent, "there is room");
                    }};
      nap(std::chrono::nanoseconds(seed() % 500));
      leaves.cancel();
      sum = block_on(pool, co::await_spawned(std::move(leaves)));
    }
    while (const std::optional<int> left = values.try_receive()) sum += *left;
    check(sum == 6, "each value is received once");
  });
}

task<> wait_for(async_event& event) { co_await event.wait(); }
task<> wait_in_a_scope(async_event& event) {
  co::scope nursery{co_await co::get_stop_token()};
  for (int i = 0; i < 3; ++i) nursery.spawn(wait_for(event));
  co_await nursery.join();
}

TEST(sync_schedules, a_tree_of_tasks_that_wait_ends_when_it_is_asked_to_stop) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_event event;
    {
      join_handle<> tree = spawn(pool, wait_in_a_scope(event));
      thread setter{"setter", [&] {
                      if (seed() % 2 == 0) event.set();
                    }};
      if (seed() % 3 == 0) nap(std::chrono::microseconds(seed() % 5));
      tree.cancel();
      block_on(pool, co::await_spawned(std::move(tree)));
    }
  });
}

}  // namespace
}  // namespace filch::testing
