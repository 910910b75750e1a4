// Timers and arrivals are served although all workers are in long jobs, under every schedule: the
// jobs here end only then.
#include <filch/base/atomic.hpp>
#include <filch/base/thread.hpp>
#include <filch/co.hpp>
#include <filch/co/sync/mixed_test.hpp>
#include <filch/sched/pool/metrics.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/sync.hpp>
#include <filch/testing/expect_test.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace filch::inline v0_2::testing {
namespace {

using namespace std::chrono_literals;

/// A job that keeps its worker until `over`.
void work_until(const async_event& over) {
  while (!over.is_set()) base::cpu_relax();
}

task<> sleep_and_set(std::chrono::nanoseconds length, async_event& event) {
  co_await sleep_for(length);
  event.set();
}
co::sync::foreign_coroutine sleep_elsewhere_and_set(std::chrono::nanoseconds length,
                                                    async_event& event) {
  co_await sleep_for(length);
  event.set();
}

/// Two workers, both of which will be in a long job. The jobs end with `over`.
struct busy_pool {
  async_event over;
  base::atomic<int> begun{0};
  thread_pool pool{{.workers = 2}};

  void submit_long_jobs(int count = 2) {
    for (int i = 0; i < count; ++i) {
      pool.submit([this] {
        begun.fetch_add(1, base::relaxed);
        work_until(over);
      });
    }
  }
  /// Sleeps again and again, so that the deterministic scheduler can run others.
  task<> all_work(int count = 2) {
    while (begun.load(base::relaxed) != count) co_await sleep_for(1ms);
    co_await sleep_for(2ms);
  }
};

constexpr options many{.seeds = 300, .most_steps = 300'000};

TEST(beside_schedules, a_timer_of_a_fork_whose_parent_goes_on_is_served) {
  expect_no_failure(
      [] {
        busy_pool here;
        here.submit_long_jobs(1);
        join_handle<> parent = spawn(here.pool, [](busy_pool& in) -> task<> {
          while (in.begun.load(base::relaxed) != 1) co_await sleep_for(1ms);
          auto child = co_await co::fork(sleep_and_set(10us, in.over));
          work_until(in.over);
          co_await co::join;
        }(here));
        block_on(std::move(parent));
      },
      many);
}

TEST(beside_schedules, a_timer_that_a_job_starts_before_it_goes_on_is_served) {
  expect_no_failure(
      [] {
        std::optional<co::sync::foreign_coroutine> sleeps;
        busy_pool here;
        here.submit_long_jobs(1);
        here.pool.submit([&] {
          sleeps.emplace(sleep_elsewhere_and_set(10us, here.over));
          work_until(here.over);
        });
        filch::wait(here.over.wait());
      },
      many);
}

TEST(beside_schedules, a_worker_back_on_an_ordinary_slot_leaves_nobody_waiting) {
  expect_no_failure(
      [] {
        base::atomic<bool> blocks{false};
        busy_pool here;
        here.submit_long_jobs(1);
        join_handle<> served =
            spawn(here.pool, [](busy_pool& in, base::atomic<bool>& says) -> task<> {
              co_await in.all_work();
              co_await co::blocking([&] {
                says.store(true, base::relaxed);
                base::nap_thread(5ms);
              });
              while (!in.over.is_set()) co_await co::yield();
            }(here, blocks));
        here.pool.submit([&] {
          here.begun.fetch_add(1, base::relaxed);
          while (!blocks.load(base::relaxed)) base::cpu_relax();
        });
        while (!blocks.load(base::relaxed)) base::nap_thread(1ms);
        base::nap_thread(10ms);  // it is back
        here.pool.submit([&] { here.over.set(); });
        block_on(std::move(served));
      },
      many);
}

TEST(beside_schedules, what_it_made_ready_goes_on_while_it_blocks) {
  expect_no_failure(
      [] {
        async_event go;
        busy_pool here;
        join_handle<> waits = spawn(here.pool, [](async_event& until, async_event& to) -> task<> {
          co_await until.wait();
          to.set();
        }(go, here.over));
        join_handle<> served = spawn(here.pool, [](busy_pool& in, async_event& lets_go) -> task<> {
          co_await in.all_work();
          spawn([](async_event& sets) -> task<> {
            sets.set();
            co_return;
          }(lets_go));
          co_await co::blocking([&] {
            while (!in.over.is_set()) base::nap_thread(1ms);
          });
        }(here, go));
        here.submit_long_jobs();
        block_on(std::move(served));
        block_on(std::move(waits));
      },
      many);
}

TEST(beside_schedules, a_task_of_high_priority_goes_on_after_its_turn) {
  expect_no_failure(
      [] {
        busy_pool here;
        join_handle<> other = spawn(here.pool, [](async_event& until) -> task<> {
          while (!until.is_set()) co_await sleep_for(1ms);
        }(here.over));
        join_handle<> urgent = spawn(with(here.pool, priority::high), [](busy_pool& in) -> task<> {
          co_await in.all_work();
          co_await co::yield();
          in.over.set();
        }(here));
        here.submit_long_jobs();
        block_on(std::move(urgent));
        block_on(std::move(other));
      },
      many);
}

// The thread on the overcommit slot that expires the timer leaves the task to the workers, and one
// of them finds it.
TEST(beside_schedules, a_background_task_that_is_due_waits_for_an_ordinary_slot_and_gets_it) {
  expect_no_failure(
      [] {
        bool was_over = false;
        busy_pool here;
        join_handle<> urgent = spawn(here.pool, [](busy_pool& in) -> task<> {
          co_await in.all_work();
          in.over.set();
        }(here));
        join_handle<> waits =
            spawn(with(here.pool, priority::background), [](busy_pool& in, bool& seen) -> task<> {
              while (in.begun.load(base::relaxed) != 2) co_await sleep_for(1ms);
              seen = in.over.is_set();
            }(here, was_over));
        here.submit_long_jobs();
        block_on(std::move(urgent));
        block_on(std::move(waits));
        check(was_over, "all slots are taken until then");
      },
      many);
}

// The thread on the overcommit slot counted as a searcher, and the submitter trusted it.
TEST(beside_schedules, a_job_submitted_meanwhile_is_begun_when_the_only_visitor_leaves) {
  expect_no_failure(
      [] {
        base::atomic<bool> ran{false}, serves{false}, visits{false};
        async_event sleeps;
        thread_pool pool{{.workers = 2}};
        pool.core().parking().allow(1);
        const auto due = co::now() + 300us;
        join_handle<> served = spawn(
            pool,
            [](auto at, auto& until, auto& says, auto& was_visited, async_event& begins) -> task<> {
              begins.set();
              co_await sleep_until(at);
              const bool goes_on = was_visited.load(base::relaxed);
              says.store(true, base::relaxed);
              while (goes_on && !until.load(base::relaxed)) base::cpu_relax();
            }(due, ran, serves, visits, sleeps));
        filch::wait(sleeps.wait());
        thread visitor{"visitor", [&] {
                         pool.run([&] {
                           // Else it computes beyond the limit, and the task has the only slot.
                           visits.store(sched::current_worker().waiter.has_queues(), base::relaxed);
                           while (!serves.load(base::relaxed)) base::cpu_relax();
                         });
                       }};
        const auto at = due + std::chrono::nanoseconds(seed() % 100'000);
        while (co::now() < at) base::nap_thread(at - co::now());
        pool.submit([&] { ran.store(true, base::relaxed); });
        block_on(std::move(served));
        visitor.join();
      },
      {.seeds = 5000, .most_steps = 30'000});
}

TEST(beside_schedules, one_thread_more_is_enough_however_slowly_it_starts) {
  expect_no_failure(
      [] {
        busy_pool here;
        here.submit_long_jobs(1);
        join_handle<> served = spawn(here.pool, [](busy_pool& in) -> task<> {
          while (in.begun.load(base::relaxed) != 1) {
            // A schedule by priorities is not fair, and time passes only while threads run
            base::cpu_relax();
            co_await sleep_for(100us);
          }
          for (int i = 0; i < 50; ++i) co_await sleep_for(20us);
          in.over.set();
        }(here));
        block_on(std::move(served));
        check(here.pool.core().threads().worker_count() <= 6, "threads multiply");
      },
      {.seeds = 300, .most_steps = 400'000});
}

task<> yield_until(const base::atomic<bool>& over) {
  while (!over.load(base::relaxed)) co_await co::yield();
}

// A sleeper woke itself for the first timer that it saw due, and then for the next ones: a third
// thread on two processors.
TEST(beside_schedules, nobody_gets_up_for_timers_that_those_who_work_take) {
  std::uint64_t self_wakes = 0;
  expect_no_failure(
      [&] {
        base::atomic<bool> over{false};
        thread_pool pool{{.workers = 2}};
        join_handle<> timers = spawn(pool, [](base::atomic<bool>& says) -> task<> {
          for (int i = 0; i < 200; ++i) co_await sleep_for(10us);
          says.store(true, base::relaxed);
        }(over));
        join_handle<> first = spawn(pool, yield_until(over));
        join_handle<> second = spawn(pool, yield_until(over));
        block_on(std::move(timers));
        block_on(std::move(first));
        block_on(std::move(second));
        self_wakes += pool.metrics().total.self_wakes;
      },
      {.seeds = 100, .most_steps = 400'000});
  EXPECT_LT(self_wakes, 1000u) << "219, and 2,566 before";
}

}  // namespace
}  // namespace filch::testing
