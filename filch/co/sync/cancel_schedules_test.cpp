// Each primitive under many schedules: a task is asked to stop while others serve it, or close the
// primitive.
#include <filch/co.hpp>
#include <filch/co/await_spawned_test.hpp>
#include <filch/sync.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <utility>

namespace filch::inline v0_2::testing {
namespace {

/// Asks `leaves` to stop from a thread of its own, at some time while `meanwhile` runs. True: its
/// wait had ended otherwise.
template <class Body>
bool cancel_beside(thread_pool& pool, join_handle<bool> leaves, Body meanwhile) {
  thread canceller{"canceller", [&] {
                     nap(std::chrono::nanoseconds(seed() % 1'000));
                     leaves.cancel();
                   }};
  meanwhile();
  canceller.join();
  return block_on(pool, co::await_spawned(std::move(leaves)));
}

// -------------------------------------------------------------------------------------------------
// events, latches
task<bool> await_event(async_event& event) {
  try {
    co_await event.wait();
  } catch (const co::cancelled&) {
    co_return false;
  }
  check(event.is_set(), "it was set, and nobody resets it");
  co_return true;
}

TEST(cancel_schedules, a_wait_for_an_event_ends_by_that_or_by_cancelled) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    {
      async_event event;
      join_handle<bool> stays = spawn(pool, await_event(event));
      cancel_beside(pool, spawn(pool, await_event(event)), [&] { event.set(); });
      check(block_on(pool, co::await_spawned(std::move(stays))), "nobody asked this one");
    }
  });
}

task<bool> await_latch(async_latch& latch, shared<int>& done) {
  try {
    co_await latch.wait();
  } catch (const co::cancelled&) {
    co_return false;
  }
  check(done.read() == 1, "what was done before each count is seen");
  co_return true;
}
task<> do_and_count(async_latch& latch, shared<int>& done) {
  done.write(1);
  latch.count_down();
  co_return;
}

TEST(cancel_schedules, a_wait_for_a_latch_ends_by_zero_or_by_cancelled) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    shared<int> done{"done", 0};
    {
      async_latch latch{2};
      join_handle<bool> stays = spawn(pool, await_latch(latch, done));
      spawn(pool, do_and_count(latch, done)).detach();
      cancel_beside(pool, spawn(pool, await_latch(latch, done)), [&] { latch.count_down(); });
      check(block_on(pool, co::await_spawned(std::move(stays))), "nobody asked this one");
    }
  });
}

// -------------------------------------------------------------------------------------------------
// locks
template <class Lock>
task<bool> hold_and_leave(Lock lock) {
  try {
    const auto held = co_await lock();
    co_await co::yield();
  } catch (const co::cancelled&) {
    co_return false;
  }
  co_return true;
}

TEST(cancel_schedules, a_mutex_is_free_after_all_have_left_it) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_mutex lock;
    const auto take = [&] { return lock.lock(); };
    join_handle<bool> stays = spawn(pool, hold_and_leave(take));
    cancel_beside(pool, spawn(pool, hold_and_leave(take)),
                  [&] { const async_lock held = filch::wait(lock.lock()); });
    check(block_on(pool, co::await_spawned(std::move(stays))), "nobody asked this one");
    check(static_cast<bool>(lock.try_lock()), "it is free");
  });
}

TEST(cancel_schedules, a_shared_mutex_is_free_after_all_have_left_it) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_shared_mutex lock;
    const auto alone = [&] { return lock.lock(); };
    const auto share = [&] { return lock.lock_shared(); };
    const bool leaves_alone = seed() % 2 == 0;
    join_handle<bool> stays = spawn(pool, hold_and_leave(share)),
                      is_alone = spawn(pool, hold_and_leave(alone));
    cancel_beside(
        pool,
        leaves_alone ? spawn(pool, hold_and_leave(alone)) : spawn(pool, hold_and_leave(share)),
        [&] { const auto held = filch::wait(lock.lock_shared()); });
    for (join_handle<bool>* each : {&stays, &is_alone})
      check(block_on(pool, co::await_spawned(std::move(*each))), "nobody asked this one");
    check(static_cast<bool>(lock.try_lock()), "it is free");
  });
}

// -------------------------------------------------------------------------------------------------
// permits
task<bool> take_and_put_back(async_semaphore& permits, std::size_t wanted) {
  try {
    const async_permit held = co_await permits.acquire(wanted);
  } catch (const co::cancelled&) {
    co_return false;
  }
  co_return true;
}

TEST(cancel_schedules, no_permit_is_lost_with_a_waiter_for_many) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_semaphore permits{2};
    join_handle<bool> stays = spawn(pool, take_and_put_back(permits, 1 + seed() % 2));
    cancel_beside(pool, spawn(pool, take_and_put_back(permits, 3)), [&] {
      const async_permit one = filch::wait(permits.acquire());
      if (seed() % 3 == 0) permits.put_back();
    });
    check(block_on(pool, co::await_spawned(std::move(stays))), "nobody asked this one");
    check(static_cast<bool>(permits.try_acquire(2 + (seed() % 3 == 0 ? 1 : 0))), "all are free");
  });
}

// -------------------------------------------------------------------------------------------------
// channels
task<bool> send_one(channel<int>& to, int value, int& sent) {
  try {
    if (co_await to.send(value) == send_result::sent) sent += value;
  } catch (const co::cancelled&) {
    co_return false;
  }
  co_return true;
}
task<bool> receive_until_closed(channel<int>& from, int& received) {
  while (const std::optional<int> found = co_await from.receive()) received += *found;
  co_return true;
}

TEST(cancel_schedules, a_channel_that_closes_loses_no_value_of_those_that_it_took) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    channel<int> values{seed() % 3};
    int sent = 0, also_sent = 0, sent_here = 0, received = 0;
    join_handle<bool> stays = spawn(pool, send_one(values, 10, also_sent)),
                      receives = spawn(pool, receive_until_closed(values, received));
    cancel_beside(pool, spawn(pool, send_one(values, 1, sent)), [&] {
      thread closer{"closer", [&] { values.close(); }};
      if (filch::wait(values.send(100)) == send_result::sent) sent_here = 100;
    });
    for (join_handle<bool>* each : {&stays, &receives})
      check(block_on(pool, co::await_spawned(std::move(*each))), "nobody asked this one");
    check(received == sent + also_sent + sent_here,
          "what was said to be sent is received, and nothing else");
  });
}

// -------------------------------------------------------------------------------------------------
// broadcasts
task<bool> listen_until_closed(broadcast<int>::receiver& by, int& sum) {
  try {
    while (const auto got = co_await by.receive()) {
      check(got.missed == 0, "there was room for all");
      sum += *got;
    }
  } catch (const co::cancelled&) {
    co_return false;
  }
  co_return true;
}

TEST(cancel_schedules, a_broadcasts_value_is_taken_or_left_by_a_cancelled_receiver) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    broadcast<int> values{4};
    broadcast<int>::receiver stays_at = values.subscribe(), leaves_at = values.subscribe();
    int all = 0, some = 0;
    join_handle<bool> stays = spawn(pool, listen_until_closed(stays_at, all));
    cancel_beside(pool, spawn(pool, listen_until_closed(leaves_at, some)), [&] {
      thread other{"other", [&] { static_cast<void>(values.send(1)); }};
      static_cast<void>(values.send(10));
      other.join();
      values.close();
    });
    check(block_on(pool, co::await_spawned(std::move(stays))) && all == 11, "it heard both");
    while (const auto left = leaves_at.try_receive()) some += *left;
    check(some == 11, "what was not taken is left");
  });
}

task<bool> send_once_asked(channel<int>& to) {
  const std::stop_token token = co_await co::get_stop_token();
  while (!token.stop_requested()) co_await co::yield();
  try {
    check(co_await to.send(1) == send_result::sent, "it is open");
  } catch (const co::cancelled&) {
    co_return false;
  }
  co_return true;
}

TEST(cancel_schedules, two_that_are_to_let_others_go_first_are_both_let_through) {
  expect_no_failure([] {
    channel<int> numbers{unbounded};
    for (unsigned i = 0; i < co::sync::operations_in_turn; ++i)
      static_cast<void>(numbers.try_send(0));
    thread_pool pool{{.workers = 2}};
    join_handle<bool> one = spawn(pool, send_once_asked(numbers)),
                      other = spawn(pool, send_once_asked(numbers));
    one.cancel();
    other.cancel();
    check(block_on(pool, co::await_spawned(std::move(one))), "what need not wait is done");
    check(block_on(pool, co::await_spawned(std::move(other))), "what need not wait is done");
  });
}

}  // namespace
}  // namespace filch::testing
