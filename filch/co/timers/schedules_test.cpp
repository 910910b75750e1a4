// Timers under many schedules, by the clock of the deterministic scheduler: hours take no time.
#include <filch/base/clock.hpp>
#include <filch/co.hpp>
#include <filch/co/await_spawned_test.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sync.hpp>
#include <filch/testing/expect_test.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace filch::inline v0_2::testing {
namespace {

using namespace std::chrono_literals;

task<> sleep_and_check(std::chrono::nanoseconds length) {
  const auto end = co::now() + length;
  co_await sleep_for(length);
  check(co::now() >= end, "never early");
}

TEST(timers_schedules, every_sleep_ends_however_the_workers_fall_asleep) {
  for (const unsigned workers : {1u, 2u, 3u}) {
    expect_no_failure([=] {
      thread_pool pool{{.workers = workers}};
      spawn(pool, sleep_and_check(2h));
      spawn(pool, sleep_and_check(1h));
      block_on(pool, sleep_and_check(30us));
      spawn(pool, sleep_and_check(1us));
    });
  }
}

task<> note_when(std::chrono::steady_clock::time_point when, int number, std::vector<int>& order) {
  co_await sleep_until(when);
  order.push_back(number);
}
task<> note_in_turn(std::vector<int>& order) {
  const auto begin = co::now() + 1h;
  co::scope nursery;
  for (const int number : {3, 0, 2, 4, 1})
    nursery.spawn(note_when(begin + number / 2 * 1min, number, order));
  co_await nursery.join();
}

TEST(timers_schedules, sleeps_end_in_the_order_of_times_and_equal_ones_as_they_began) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 1}};
        std::vector<int> order;
        block_on(spawn(pool, note_in_turn(order)));
        check(order == std::vector{0, 1, 3, 2, 4}, "in their order");
      },
      {.seeds = 100});
}

task<bool> sleep_until_cancelled(std::chrono::nanoseconds length) {
  try {
    co_await sleep_for(length);
  } catch (const co::cancelled&) {
    co_return true;
  }
  co_return false;
}
task<bool> say_and_sleep(base::atomic<bool>& begins) {
  begins.store(true, base::relaxed);
  co_return co_await sleep_until_cancelled(1h);
}

// Asks the task to stop just when its sleep begins: one schedule in 140 asks between its last look
// and the insertion of its timer.
TEST(timers_schedules, a_sleep_that_is_cancelled_before_it_was_inserted_ends) {
  expect_no_failure(
      [] {
        thread_pool pool{{.workers = 2}};
        base::atomic<bool> begins{false};
        join_handle<bool> sleeps = spawn(pool, say_and_sleep(begins));
        const auto begin = co::now();
        while (!begins.load(base::relaxed)) base::cpu_relax();
        sleeps.cancel();
        // The clock may pass any timeout while other threads run
        const bool was_in_time = co::now() - begin < 1h;
        const bool was_cancelled = block_on(pool, co::await_spawned(std::move(sleeps)));
        check(was_cancelled || !was_in_time,
              "a sleep that is cancelled before its time throws cancelled");
        join_handle<> later = spawn(pool, sleep_and_check(1us));  // the queue still works
        block_on(pool, co::await_spawned(std::move(later)));
      },
      {.seeds = 3000, .most_steps = 50'000});
}

TEST(timers_schedules, a_sleep_that_ends_while_it_is_cancelled_ends_once) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    join_handle<bool> first = spawn(pool, sleep_until_cancelled(2us)),
                      second = spawn(pool, sleep_until_cancelled(3us));
    thread cancels{"cancels", [&] { first.cancel(); }};
    second.cancel();
    cancels.join();
    block_on(pool, co::await_spawned(std::move(first)));
    block_on(pool, co::await_spawned(std::move(second)));
  });
}

task<> sleep_and_set(std::chrono::nanoseconds length, async_event& event) {
  co_await sleep_for(length);
  event.set();
}

TEST(timers_schedules, a_sleep_is_not_stranded_when_its_worker_leaves) {
  for (const unsigned workers : {1u, 2u}) {
    expect_no_failure([=] {
      async_event event;
      thread_pool pool{{.workers = workers}};  // last: its jobs use what stands above
      pool.run([&] {
        spawn(pool, sleep_and_set(20us, event));
        filch::wait(event.wait());  // gives the slot away
      });
      spawn(pool, sleep_and_set(1h, event));
    });
  }
}

TEST(timers_schedules, a_sleep_is_ended_by_an_idle_worker_when_its_own_goes_on_working) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    async_event ended;
    block_on(pool, [](async_event& to) -> task<> {
      auto child = co_await co::fork(sleep_and_set(10us, to));
      while (!to.is_set()) base::cpu_relax();  // looks at no timer
      co_await co::join;
    }(ended));
  });
}

TEST(timers_schedules, a_sleep_is_not_stranded_when_the_one_that_keeps_the_time_gets_work) {
  expect_no_failure(
      [] {
        async_event ended;
        thread_pool pool{{.workers = 2}};  // last: its jobs use what stands above
        join_handle<> sleeps = spawn(pool, sleep_and_set(500us, ended));
        pool.submit([&] {
          while (!ended.is_set()) base::cpu_relax();
        });
        block_on(pool, co::await_spawned(std::move(sleeps)));
      },
      {.seeds = 300, .most_steps = 500'000});
}

TEST(timers_schedules, a_sleep_ends_although_all_workers_are_in_long_jobs) {
  for (const bool starts_first : {false, true}) {
    expect_no_failure(
        [=] {
          std::array<async_event, 3> ended;
          thread_pool pool{{.workers = 2}};
          for (async_event& each : ended) {
            const auto work = [&] {
              while (!each.is_set()) base::cpu_relax();
            };
            if (!starts_first) pool.submit(work);
            spawn(pool, sleep_and_set(100us, each));
            if (starts_first) pool.submit(work);
            pool.submit(work);
            filch::wait(each.wait());
          }
        },
        {.seeds = 500, .most_steps = 500'000});
  }
}

co::sync::foreign_coroutine sleep_elsewhere_and_set(std::chrono::nanoseconds length,
                                                    async_event& event) {
  co_await sleep_for(length);
  event.set();
}

TEST(timers_schedules, a_waiter_that_runs_in_the_middle_of_a_search_ends_it) {
  for (const unsigned workers : {1u, 2u}) {
    expect_no_failure([=] {
      async_event ended;
      std::optional<co::sync::foreign_coroutine> sleeps;  // outlives the thread that ends it
      thread_pool pool{{.workers = workers}};
      // And searches afterwards
      pool.submit([&] { sleeps.emplace(sleep_elsewhere_and_set(10us, ended)); });
      filch::wait(ended.wait());
      block_on(pool, sleep_and_check(30us));
      block_on(pool, sleep_and_check(1h));
    });
  }
}

// Its worker goes on working in the only slot, and no other thread may have one until one is given
// back.
TEST(timers_schedules, a_sleep_is_ended_by_the_worker_that_gets_a_withheld_slot) {
  expect_no_failure(
      [] {
        async_event began, ended;  // the job looks at them to its end
        thread_pool pool{{.workers = 2}};
        pool.core().parking().allow(1);
        pool.submit([&] {
          join_handle<> sleeps = spawn(pool, sleep_and_set(10us, ended));
          filch::wait(sleep_for(1us));  // the sleep begins
          began.set();
          while (!ended.is_set()) base::cpu_relax();
        });
        filch::wait(began.wait());
        pool.core().parking().allow(2);
        filch::wait(ended.wait());
      },
      {.seeds = 1000, .most_steps = 500'000});
}

task<bool> take_in_time(channel<int>& from, std::chrono::nanoseconds length) {
  const auto found = co_await with_timeout(from.receive(), length);
  co_return found.has_value();
}

TEST(timers_schedules, a_value_that_comes_while_the_time_is_over_is_taken_or_left) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    channel<int> values{1};
    join_handle<bool> takes = spawn(pool, take_in_time(values, 3us));
    join_handle<> sends = spawn(pool, [](channel<int>& to) -> task<> {
      co_await sleep_for(2us);
      static_cast<void>(co_await to.send(1));
    }(values));
    const bool was_taken = block_on(pool, co::await_spawned(std::move(takes)));
    block_on(pool, co::await_spawned(std::move(sends)));
    check(was_taken != values.try_receive().has_value(), "it is taken, or it is still there");
  });
}

TEST(timers_schedules, a_pool_that_is_asked_to_stop_takes_no_value_along) {
  const auto stop_soon = [] {
    channel<int> values{1};
    check(values.try_send(1) == send_result::sent, "there is room");
    bool was_taken = false;
    {
      thread_pool pool{{.workers = 2}};
      join_handle<bool> takes = spawn(pool, take_in_time(values, 1h));
      thread stopper{"stopper", [&] {
                       nap(std::chrono::nanoseconds(seed() % 500));
                       pool.request_stop();
                     }};
      try {
        was_taken = block_on(std::move(takes));
      } catch (const pool_stopped&) {
      }
    }
    check(was_taken != values.try_receive().has_value(), "it is taken, or it is still there");
  };
  // Few seeds stop it between its two tasks
  expect_no_failure(stop_soon, {.seeds = 10'000, .most_steps = 20'000});
}

task<int> send_in_time(channel<std::unique_ptr<int>>& to, int value) {
  auto sent = co_await with_timeout(to.send(std::make_unique<int>(value)), 3us);
  co_return sent ? 0 : *sent.take_back();
}
task<int> receive_in_time(channel<std::unique_ptr<int>>& from) {
  co_await sleep_for(2us);
  const auto found = co_await with_timeout(from.receive(), 2us);
  co_return found.has_value() && found->has_value() ? ***found : 0;
}

TEST(timers_schedules, a_value_that_is_not_sent_while_the_time_is_over_comes_back) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    channel<std::unique_ptr<int>> values{seed() % 2};
    join_handle<int> one = spawn(pool, send_in_time(values, 1)),
                     another = spawn(pool, send_in_time(values, 10));
    join_handle<int> takes = spawn(pool, receive_in_time(values));
    if (seed() % 3 == 0) values.close();
    int sum = 0;
    for (join_handle<int>* each : {&one, &another, &takes})
      sum += block_on(pool, co::await_spawned(std::move(*each)));
    while (const auto found = values.try_receive()) sum += **found;
    check(sum == 11, "each comes back or is received");
  });
}

TEST(timers_schedules, an_interval_ticks_on_its_grid_however_late) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    block_on(pool, []() -> task<> {
      const auto begin = co::now();
      interval beat{1us};
      auto next = begin + 1us;
      for (int i = 0; i < 5; ++i) {
        const tick each = co_await beat.next();
        check(each.due >= next && (i == 0 || each.due == next), "on the grid");
        check(co::now() >= each.due + each.missed * 1us, "never early");
        next = each.due + (each.missed + 1) * 1us;
      }
    }());
  });
}

task<bool> take_tick(interval& of, std::optional<tick>& taken) {
  try {
    taken = co_await of.next();
  } catch (const co::cancelled&) {
    co_return false;
  }
  co_return true;
}

TEST(timers_schedules, a_tick_is_taken_or_left_by_a_cancelled_task) {
  expect_no_failure([] {
    thread_pool pool{{.workers = 2}};
    interval beat{3us};
    std::optional<tick> first;
    join_handle<bool> leaves = spawn(pool, take_tick(beat, first));
    {
      thread cancels{"cancels", [&] { leaves.cancel(); }};
      nap(std::chrono::nanoseconds(seed() % 4'000));
    }
    const bool was_taken = block_on(pool, co::await_spawned(std::move(leaves)));
    check(was_taken == first.has_value(), "a wait that throws takes none");
    const tick second = filch::wait(beat.next());
    check(!first || second.due == first->due + (first->missed + 1) * 3us,
          "the next one lies on the same grid");
  });
}

}  // namespace
}  // namespace filch::testing
