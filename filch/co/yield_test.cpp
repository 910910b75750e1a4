#include <filch/co/block_on.hpp>
#include <filch/co/run_task_test.hpp>
#include <filch/co/schedule_on.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/yield.hpp>
#include <filch/filch.hpp>
#include <filch/sched/external_source.hpp>
#include <filch/sched/worker/scheduler.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace filch::inline v0_2::co {
namespace {

task<> write_between_yields(std::string& to, char letter, int times) {
  for (int i = 0; i < times; ++i) {
    to.push_back(letter);
    co_await yield();
  }
}
task<> take_turns(std::string& to) {
  join_handle<> a = spawn(write_between_yields(to, 'a', 3));
  join_handle<> b = spawn(write_between_yields(to, 'b', 3));
  co_await a;
  co_await b;
}

TEST(yield, lets_others_go_first) {
  thread_pool pool{{.workers = 1}};
  std::string order;
  block_on(spawn(pool, take_turns(order)));
  EXPECT_EQ(order, "ababab");
}

task<int> yield_often(int times) {
  for (int i = 0; i < times; ++i) co_await yield();
  co_return times;
}

TEST(yield, goes_on_where_nobody_waits) {
  EXPECT_EQ(run_task(yield_often(100'000)), 100'000);
  EXPECT_EQ(block_on(yield_often(100'000)), 100'000);
}

task<> spin_until(std::atomic<bool>& set) {
  while (!set) co_await yield();
}
task<> set_from_behind(std::atomic<bool>& done) {
  done = true;
  co_return;
}

TEST(yield, lets_work_from_outside_run) {
  thread_pool pool{{.workers = 1}};
  std::atomic<bool> done{false};
  join_handle<> waits = spawn(pool, spin_until(done));
  pool.submit([&] { done = true; });
  block_on(std::move(waits));
}

task<> long_chain(std::atomic<bool>& done) {
  while (!done) co_await yield_often(0);
}

TEST(yield, is_not_needed_by_a_chain_of_calls) {
  thread_pool pool{{.workers = 1}};
  std::atomic<bool> done{false};
  join_handle<> busy = spawn(pool, long_chain(done));
  join_handle<> other = spawn(pool, set_from_behind(done));
  block_on(std::move(busy));
  block_on(std::move(other));
}

// -------------------------------------------------------------------------------------------------
// migration. Never inlined, so that it does not reuse the caller's thread-local addresses.
[[gnu::noinline]] unsigned index_from_afar() { return worker_index(); }

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

task<int> wander(int steps) {
  int wrong = 0;
  for (int i = 0; i < steps; ++i) {
    co_await yield();
    if (worker_index() != index_from_afar()) ++wrong;
    const auto [left, right] = filch::join([i] { return i; }, [i] { return i + 1; });
    if (left + right != 2 * i + 1 || fib(5) != 5) ++wrong;
  }
  co_return wrong;
}
task<int> wander_together(int tasks, int steps) {
  std::vector<join_handle<int>> all;
  for (int i = 0; i < tasks; ++i) all.push_back(spawn(wander(steps)));
  int wrong = 0;
  for (join_handle<int>& each : all) wrong += co_await each;
  co_return wrong;
}

TEST(yield, a_coroutine_that_migrates_forks_on_the_worker_that_it_is_on) {
  thread_pool pool{{.workers = 4}};
  EXPECT_EQ(block_on(pool, wander_together(20, 2000)), 0);
}

task<long> every_algorithm() {
  co_await yield();
  std::vector<int> values(10'000);
  parallel_for(0, 10'000, [&](int i) { values[static_cast<std::size_t>(i)] = 10'000 - i; });
  co_await yield();
  filch::sort(values);
  co_return parallel_reduce(
      0, 10'000, 0L, [&](int i) { return long{values[static_cast<std::size_t>(i)]}; },
      std::plus<>{}) +
      values[0];
}

TEST(yield, coroutines_call_loops_and_algorithms) {
  thread_pool pool{{.workers = 3}};
  for (int i = 0; i < 20; ++i) EXPECT_EQ(block_on(pool, every_algorithm()), 50'005'001L);
}

// -------------------------------------------------------------------------------------------------
// schedule_on
task<int> run_in(thread_pool& pool) {
  co_await schedule_on(pool);
  co_return pool.is_current() ? 1 : 0;
}
task<int> there_and_back(thread_pool& home, thread_pool& other) {
  int right = home.is_current();
  right += co_await run_in(other);
  right += other.is_current();
  co_await yield();
  right += other.is_current();
  co_await schedule_on(home);
  right += home.is_current();
  join_handle<int> far = spawn(other, run_in(other));
  right += co_await far;
  right += home.is_current();
  co_return right;
}

TEST(schedule_on, moves_a_task_with_all_that_it_belongs_to) {
  thread_pool home{{.workers = 1}}, other{{.workers = 2}};
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(block_on(spawn(home, there_and_back(home, other))), 7);
    EXPECT_EQ(block_on(home, there_and_back(home, other)), 7);
  }
}

foreign note_when_moved(thread_pool& pool, std::atomic<bool>& moved) {
  moved = co_await run_in(pool) == 1 && pool.is_current();
}

TEST(schedule_on, moves_a_coroutine_of_another_library_with_the_task_that_it_awaits) {
  std::atomic<bool> moved{false};
  {
    thread_pool pool{{.workers = 1}};
    note_when_moved(pool, moved);
  }
  EXPECT_TRUE(moved);
}

task<int> move_to_stopped(thread_pool& stopped) {
  try {
    co_await schedule_on(stopped);
  } catch (const pool_stopped&) {
    co_return 1;
  }
  co_return 0;
}

TEST(schedule_on, is_refused_by_a_stopped_pool) {
  thread_pool home{{.workers = 1}}, stopped{{.workers = 1}};
  stopped.request_stop();
  EXPECT_EQ(block_on(home, move_to_stopped(stopped)), 1);
}

TEST(schedule_on, is_waited_for_by_the_pool_that_it_moves_to) {
  std::atomic<int> ended{0};
  thread_pool home{{.workers = 1}};
  {
    thread_pool other{{.workers = 1}};
    static constexpr auto move_and_count = [](thread_pool& to, std::atomic<int>& count) -> task<> {
      co_await schedule_on(to);
      co_await yield();
      ++count;
    };
    join_handle<> moved = spawn(home, move_and_count(other, ended));
    while (!moved.is_finished()) std::this_thread::yield();
  }
  EXPECT_EQ(ended, 1);
}

/// Once `detains`, the next thread that wakes its sleeper is kept there until the moved task has
/// run, and a little longer, like a thread that the system preempts.
class detaining_source final : public sched::external_source {
 public:
  bool poll(look) noexcept override { return false; }
  bool wait_for(std::uint64_t nanoseconds) noexcept override {
    const auto begin = std::chrono::steady_clock::now();
    is_slept_in = nanoseconds == no_deadline;
    while (!is_interrupted_.exchange(false) &&
           (nanoseconds == no_deadline ||
            std::chrono::steady_clock::now() - begin < std::chrono::nanoseconds(nanoseconds))) {
      nap();
    }
    is_slept_in = false;
    return false;
  }
  void interrupt() noexcept override {
    is_interrupted_ = true;
    if (!detains.exchange(false)) return;
    while (!has_run) nap();
    for (int i = 0; i < 200; ++i) nap();  // longer on a busy machine, as everything else
    has_let_go = true;
  }

  static void nap() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

  std::atomic<bool> is_slept_in{false}, detains{false}, has_run{false}, has_let_go{false};

 private:
  std::atomic<bool> is_interrupted_{false};
};

task<> move_and_say(thread_pool& to, std::atomic<bool>& has_run) {
  co_await schedule_on(to);
  has_run = true;
}

// The thread that has moved the task is external to that pool, and uses the pool until it lets go.
TEST(schedule_on, keeps_the_pool_until_the_thread_that_moved_a_task_lets_go) {
  for (const bool is_of_another_library : {true, false}) {
    detaining_source source;
    thread_pool home{{.workers = 1}};
    std::thread mover;
    {
      thread_pool pool{{.workers = 1, .max_spares = 0}};  // so no other thread can be woken
      pool.core().attach(source);
      while (!source.is_slept_in) detaining_source::nap();
      source.detains = true;
      if (is_of_another_library) {
        mover = std::thread{[&] { note_when_moved(pool, source.has_run); }};
      } else {
        spawn(home, move_and_say(pool, source.has_run));
      }
      while (!source.has_run) detaining_source::nap();
    }
    EXPECT_TRUE(source.has_let_go) << is_of_another_library;
    if (mover.joinable()) mover.join();
  }
}

}  // namespace
}  // namespace filch::co
