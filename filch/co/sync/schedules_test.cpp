// The primitives under many schedules.
#include <filch/co.hpp>
#include <filch/fork.hpp>
#include <filch/sync.hpp>
#include <filch/testing/expect_test.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

namespace filch::testing {
namespace {

/// Runs a task, a job and an external thread side by side.
template <class Job, class Thread>
void side_by_side(thread_pool& pool, task<> of_task, Job job, Thread of_thread) {
  join_handle<> spawned_one = spawn(pool, std::move(of_task));
  thread outside{"outside", of_thread};
  pool.run(job);
  block_on(pool, co::await_spawned(std::move(spawned_one)));
}

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
// channels
task<> send_two(channel<int>& to) {
  check(co_await to.send(1) == send_result::sent, "it is open");
  check(co_await to.send(2) == send_result::sent, "it is open");
}
task<int> receive_all(channel<int>& from) {
  int sum = 0;
  while (const std::optional<int> found = co_await from.receive()) sum += *found;
  co_return sum;
}

TEST(sync_schedules, a_channel_brings_each_value_once_and_closes) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    channel<int> values{seed() % 3};
    join_handle<int> first = spawn(pool, receive_all(values)),
                     second = spawn(pool, receive_all(values));
    const auto send = [&] {
      check(filch::wait(values.send(10)) == send_result::sent, "it is open");
    };
    side_by_side(pool, send_two(values), send, send);
    values.close();
    const int sum = block_on(pool, co::await_spawned(std::move(first))) +
                    block_on(pool, co::await_spawned(std::move(second)));
    check(sum == 23, "each came once");
  });
}

task<> send_up_to(channel<int>& to, int last) {
  for (int value = 1; value <= last; ++value)
    check(co_await to.send(value) == send_result::sent, "it is open");
  to.close();
}
int sum_in_order(channel<int>& from) {
  int sum = 0, last = 0;
  while (const std::optional<int> found = filch::wait(from.receive())) {
    check(*found > last, "values come in order");
    sum += last = *found;
  }
  return sum;
}

TEST(sync_schedules, a_channel_lets_its_sender_in_whichever_thread_takes_values_along) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 1}};
    channel<int> values{1 + seed() % 3};
    shared<int> first{"first", 0}, second{"second", 0};
    {
      thread one{"one", [&] { first.write(sum_in_order(values)); }},
          other{"other", [&] { second.write(sum_in_order(values)); }};
      block_on(spawn(pool, send_up_to(values, 6)));
    }
    check(first.read() + second.read() == 21, "each came once");
  });
}

task<int> send_until_closed(channel<int>& to) {
  int sent = 0;
  while (co_await to.send(1) == send_result::sent) ++sent;
  co_return sent;
}

TEST(sync_schedules, a_channel_that_is_closed_lets_its_senders_go) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 1}};
    channel<int> values{1};
    join_handle<int> sends = spawn(pool, send_until_closed(values));
    int received = 0;
    if (filch::wait(values.receive())) ++received;
    values.close();
    while (filch::wait(values.receive())) ++received;
    check(block_on(pool, co::await_spawned(std::move(sends))) == received,
          "what was sent is received");
  });
}

// -------------------------------------------------------------------------------------------------
// one of several
template <class Found>
int number_in(const Found& found) {
  return (found.index == 0 ? std::get<0>(found.value) : std::get<1>(found.value)).value_or(0);
}
task<int> select_all(channel<int>& first, channel<int>& second) {
  int sum = 0;
  while (const int found = number_in(co_await select(first.receive(), second.receive())))
    sum += found;
  co_return sum;
}
task<> select_a_room(channel<int>& first, channel<int>& second, int value) {
  co_await select(first.send(value), second.send(value));
}

TEST(sync_schedules, a_select_takes_one_of_what_several_send_and_loses_none) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    channel<int> first{seed() % 2}, second{seed() / 2 % 2};
    join_handle<int> receives = spawn(pool, select_all(first, second)),
                     also = spawn(pool, select_all(second, first));
    const auto send = [&] {
      check(filch::wait(first.send(10)) == send_result::sent, "it is open");
    };
    side_by_side(pool, select_a_room(second, first, 1), send,
                 [&] { filch::wait(select(first.send(100), second.send(100))); });
    int left = 0;
    while (const std::optional<int> found = first.try_receive()) left += *found;
    while (const std::optional<int> found = second.try_receive()) left += *found;
    first.close();
    const int sum = block_on(pool, co::await_spawned(std::move(receives))) +
                    block_on(pool, co::await_spawned(std::move(also)));
    check(sum + left == 111, "each came once");
  });
}

task<int> select_until_cancelled(channel<int>& first, channel<int>& second) {
  int sum = 0;
  try {
    while (const int found = number_in(co_await select(first.receive(), second.receive())))
      sum += found;
  } catch (const co::cancelled&) {
  }
  co_return sum;
}

TEST(sync_schedules, a_select_that_is_asked_to_stop_takes_one_value_or_none) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    channel<int> first{1}, second{1};
    join_handle<int> leaves = spawn(pool, select_until_cancelled(first, second));
    int sum = 0;
    {
      thread sender{"sender",
                    [&] { check(first.try_send(1) == send_result::sent, "there is room"); }};
      thread another{"another",
                     [&] { check(second.try_send(2) == send_result::sent, "there is room"); }};
      nap(std::chrono::nanoseconds(seed() % 500));
      leaves.cancel();
      sum = block_on(pool, co::await_spawned(std::move(leaves)));
    }
    for (channel<int>* each : {&first, &second}) sum += each->try_receive().value_or(0);
    check(sum == 3, "each value is received once");
  });
}

// -------------------------------------------------------------------------------------------------
// one value
task<int> receive_once(oneshot<int>& from) {
  try {
    co_return (co_await from.receive()).value_or(0);
  } catch (const co::cancelled&) {
    co_return 0;
  }
}

TEST(sync_schedules, a_oneshot_brings_what_was_sent_to_one_that_stays) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    oneshot<int> value;
    join_handle<int> leaves = spawn(pool, receive_once(value)),
                     stays = spawn(pool, receive_once(value));
    bool is_sent = false;
    {
      thread closer{"closer", [&] { value.close(); }};
      thread canceller{"canceller", [&] { leaves.cancel(); }};
      is_sent = static_cast<bool>(value.send(7));
    }
    const int got = block_on(std::move(leaves)) + block_on(std::move(stays));
    check(got == (is_sent ? 7 : 0), "what was sent is received once");
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
