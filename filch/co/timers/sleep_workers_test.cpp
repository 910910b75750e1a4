// A sleep ends in time whatever the workers do: they sleep, work, block or yield.
#include <filch/co/sync/mixed_test.hpp>
#include <filch/co/timers/sleep_and_look_test.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <tuple>

namespace filch::inline v0_2::co {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using sync::widths;

TEST(sleep, ends_in_a_pool_that_has_slept_for_long) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> early{0};
    for (int round = 0; round < 5; ++round) {
      block_on(spawn(pool, sleep_and_look(20ms, early)));
      std::this_thread::sleep_for(20ms);  // past the timed parks
    }
    EXPECT_EQ(early, 0);
  }
}

void work_until(const std::atomic<bool>& end) {
  while (!end) std::this_thread::yield();
}

TEST(sleep, ends_when_a_worker_becomes_free_that_was_in_a_long_job) {
  for (const unsigned workers : widths) {
    std::atomic<bool> end{false};
    std::atomic<int> early{0};
    thread_pool pool{{.workers = workers}};  // last: its jobs use what stands above
    join_handle<> sleeps = spawn(pool, sleep_and_look(5ms, early));
    for (unsigned i = 0; i < workers; ++i) pool.submit([&] { work_until(end); });
    std::this_thread::sleep_for(20ms);
    end = true;
    block_on(std::move(sleeps));
    EXPECT_EQ(early, 0);
  }
}

task<> sleep_and_set(std::chrono::microseconds length, std::atomic<bool>& woke) {
  co_await sleep_for(length);
  woke = true;
}

// A timer that waits for one of these jobs to end would wait for ever.
TEST(sleep, ends_while_all_workers_are_in_long_jobs) {
  for (const unsigned workers : {2u, 5u}) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 20; ++round) {
      std::atomic<bool> woke{false};
      std::atomic<unsigned> ended{0};
      join_handle<> sleeps = spawn(pool, sleep_and_set(2ms, woke));
      for (unsigned i = 0; i < workers; ++i) {
        pool.submit([&] {
          work_until(woke);
          ++ended;
        });
      }
      block_on(std::move(sleeps));
      while (ended != workers) std::this_thread::yield();
    }
  }
}

// No sleeper knows of the timer: its worker has gone on to a long job.
TEST(sleep, ends_when_its_worker_takes_a_long_job_next) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> woke{false};
    std::atomic<int> inside{0};
    thread_pool pool{{.workers = 2}};  // last: its jobs use what stands above
    const auto work = [&] {
      ++inside;
      work_until(woke);
    };
    pool.submit(work);
    while (inside != 1) std::this_thread::yield();
    spawn(pool, sleep_and_set(1ms, woke));
    pool.submit(work);
    work_until(woke);
  }
}

task<> sleep_block_and_set(std::atomic<int>& jobs, std::atomic<bool>& woke) {
  while (jobs != 2) co_await sleep_for(1ms);
  co_await co::blocking([] { std::this_thread::sleep_for(100us); });
  co_await sleep_for(1ms);
  woke = true;
}

TEST(sleep, and_a_call_that_blocks_go_on_while_all_workers_are_in_long_jobs) {
  thread_pool pool{{.workers = 2}};
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> woke{false};
    std::atomic<int> begun{0}, ended{0};
    join_handle<> sleeps = spawn(pool, sleep_block_and_set(begun, woke));
    for (int i = 0; i < 2; ++i) {
      pool.submit([&] {
        ++begun;
        work_until(woke);
        ++ended;
      });
    }
    block_on(std::move(sleeps));
    while (ended != 2) std::this_thread::yield();
  }
}

TEST(sleep, in_a_pool_of_one_waits_for_the_job_that_runs) {
  std::atomic<bool> works{false};
  bool met = false;
  thread_pool pool{{.workers = 1}};  // last: its jobs use what stands above
  join_handle<> sleeps = spawn(pool, [](std::atomic<bool>& other, bool& to) -> task<> {
    for (int i = 0; i < 20; ++i) {
      co_await sleep_for(500us);
      to = to || other;
    }
  }(works, met));
  for (int i = 0; i < 10; ++i) {
    pool.submit([&] {
      works = true;
      std::this_thread::sleep_for(1ms);
      works = false;
    });
  }
  block_on(std::move(sleeps));
  EXPECT_FALSE(met) << "two ran at once";
}

task<> start_and_work(std::atomic<bool>& woke) {
  auto sleeps = co_await co::fork([](std::atomic<bool>& to) -> task<> {
    co_await sleep_for(1ms);
    to = true;
  }(woke));
  work_until(woke);  // this worker does not look: another one must
  co_await co::join;
}

TEST(sleep, begun_by_a_worker_that_goes_on_working_is_ended_by_another) {
  for (const unsigned workers : {2u, 5u}) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 20; ++round) {
      std::atomic<bool> woke{false};
      block_on(spawn(pool, start_and_work(woke)));
      if (round % 5 == 0) std::this_thread::sleep_for(10ms);
    }
  }
}

TEST(sleep, is_not_stranded_when_the_sleeper_that_kept_the_time_gets_other_work) {
  for (const unsigned workers : {2u, 5u}) {
    std::atomic<bool> end{false};
    std::atomic<int> early{0};
    thread_pool pool{{.workers = workers}};  // last: its jobs use what stands above
    join_handle<> sleeps = spawn(pool, sleep_and_look(20ms, early));
    std::this_thread::sleep_for(10ms);  // a worker sleeps until then
    for (unsigned i = 0; i + 1 < workers; ++i) pool.submit([&] { work_until(end); });
    block_on(std::move(sleeps));  // by the worker that is left
    end = true;
    EXPECT_EQ(early, 0);
  }
}

TEST(sleep, is_not_stranded_when_its_worker_blocks) {
  for (const unsigned workers : widths) {
    thread_pool pool{{.workers = workers}};
    for (int round = 0; round < 20; ++round) {
      std::atomic<bool> woke{false};
      block_on(spawn(pool, [](std::atomic<bool>& to) -> task<> {
        auto sleeps = co_await co::fork([](std::atomic<bool>& into) -> task<> {
          co_await sleep_for(1ms);
          into = true;
        }(to));
        filch::blocking([&] { work_until(to); });
        co_await co::join;
      }(woke)));
    }
  }
}

task<> yield_until(const std::atomic<bool>& end) {
  while (!end) co_await co::yield();
}

TEST(sleep, ends_beside_a_coroutine_that_yields_for_ever) {
  for (const unsigned workers : widths) {
    std::atomic<bool> end{false};
    thread_pool pool{{.workers = workers}};  // last: its jobs use what stands above
    std::vector<join_handle<>> yields;
    for (unsigned i = 0; i < workers; ++i) yields.push_back(spawn(pool, yield_until(end)));
    block_on(pool, [](std::atomic<bool>& to) -> task<> {
      co_await sleep_for(3ms);
      to = true;
    }(end));
  }
}

TEST(sleep, is_waited_for_by_the_end_of_its_pool_also_of_one_that_was_stopped) {
  for (const bool stops : {false, true}) {
    std::atomic<int> early{0};
    const auto begin = steady_clock::now();
    {
      thread_pool pool{{.workers = 2}};
      std::atomic<bool> has_begun{false};
      spawn(pool, [](std::atomic<bool>& to, std::atomic<int>& count) -> task<> {
        to = true;
        co_await sleep_and_look(10ms, count);
      }(has_begun, early));
      work_until(has_begun);
      if (stops) pool.request_stop();
    }
    EXPECT_GE(steady_clock::now() - begin, 10ms);
    EXPECT_EQ(early, 0);
  }
}

task<> sleep_and_copy(std::chrono::milliseconds length, const std::atomic<int>& from, int& to) {
  co_await sleep_for(length);
  to = from;
}

TEST(sleep, that_is_due_ends_before_what_was_queued_meanwhile) {
  constexpr int count = 20'000;
  for (const unsigned workers : {1u, 2u}) {
    thread_pool pool{{.workers = workers}};
    std::atomic<int> ran{0};
    int ran_before = count;
    join_handle<> sleeps = spawn(pool, sleep_and_copy(5ms, ran, ran_before));
    const auto work = [&ran] {
      for (const auto until = steady_clock::now() + 5us; steady_clock::now() < until;) {
      }
      ++ran;
    };
    pool.submit([&] {  // by a job, into the ready queue of its slot, as a task's spawn does
      for (int i = 0; i < count; ++i) pool.submit(work);
    });
    block_on(std::move(sleeps));
    EXPECT_LT(ran_before, count / 2);
    while (ran != count) std::this_thread::yield();
  }
}

task<> sleep_and_note(base::steady_time until, char mark, std::string& to) {
  co_await sleep_until(until);
  to += mark;
}
/// At its next look its worker finds that the forked sleep is due, and that a job waits.
task<> sleep_beside_a_job(char mark, std::string& to) {
  const auto at = co::now() + 50ms;
  auto sleeps = co_await co::fork(sleep_and_note(at, mark, to));
  pool_here().submit([&to] { to += 'j'; });
  while (co::now() < at) {
  }
  co_await co::join;
}

TEST(sleep, of_a_background_task_ends_behind_what_is_ready) {
  for (const auto& [urgency, mark, wanted] :
       {std::tuple{priority::normal, 'n', "nj"}, std::tuple{priority::background, 'b', "jb"}}) {
    std::string order;
    {
      thread_pool pool{{.workers = 1}};
      spawn(with(pool, urgency), sleep_beside_a_job(mark, order));
    }
    EXPECT_EQ(order, wanted);
  }
}

}  // namespace
}  // namespace filch::co
