#include <filch/filch.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <filch/topo/affinity.hpp>
#include <filch/topo/cpu_budget.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using filch::thread_pool;

TEST(pool, refuses_a_hundred_thousand_workers_and_names_the_option) {
  try {
    thread_pool pool({.workers = 100'000});
    FAIL() << "accepted";
  } catch (const std::invalid_argument& refused) {
    EXPECT_NE(std::string(refused.what()).find("pool_options::workers is 100000"),
              std::string::npos)
        << refused.what();
  }
}

TEST(pool, refuses_more_workers_than_its_own_bound_and_names_both) {
  try {
    thread_pool pool({.workers = 3, .max_workers = 2});
    FAIL() << "accepted";
  } catch (const std::invalid_argument& refused) {
    EXPECT_NE(std::string(refused.what()).find("workers is 3, but max_workers is 2"),
              std::string::npos)
        << refused.what();
  }
  EXPECT_EQ(thread_pool({.workers = 2, .max_workers = 2}).concurrency(), 2u);
}

TEST(pool, refuses_a_million_spares_and_names_the_option) {
  EXPECT_THROW(thread_pool({.workers = 1, .max_spares = 1'000'000}), std::invalid_argument);
}

TEST(pool, of_zero_workers_takes_what_the_budget_allows) {
  thread_pool pool;
  EXPECT_GE(pool.concurrency(), 1u);
  EXPECT_EQ(pool.run([] { return 7; }), 7);
}

TEST(pool, of_a_thousand_workers_works_and_starts_only_what_it_needs) {
  thread_pool pool({.workers = 1000});
  EXPECT_EQ(pool.concurrency(), 1000u);
  const long sum = pool.run([] {
    return filch::parallel_reduce(
        0, 100'000, 0L, [](int i) { return long{i}; }, [](long a, long b) { return a + b; });
  });
  EXPECT_EQ(sum, 99'999L * 50'000);
  EXPECT_LT(pool.metrics().total.threads_started, 100u) << "of a thousand that it might";
}

TEST(pool, starts_no_thread_for_work_that_forks_nothing) {
  thread_pool pool({.workers = 4});
  for (int i = 0; i < 100; ++i) pool.run([] {});
  EXPECT_EQ(pool.metrics().total.threads_started, 0u);
}

TEST(pool, warm_up_starts_every_thread_once) {
  thread_pool pool({.workers = 3});
  pool.warm_up();
  EXPECT_EQ(pool.metrics().total.threads_started, 3u) << "and waits for them";
  pool.warm_up();
  while (pool.metrics().total.parks < 3) std::this_thread::yield();
  EXPECT_EQ(pool.metrics().total.threads_started, 3u);
}

TEST(pool, run_returns_references_values_and_exceptions_of_its_callable) {
  thread_pool pool({.workers = 2});
  int here = 1;
  int& same = pool.run([&]() -> int& { return here; });
  EXPECT_EQ(&same, &here);
  EXPECT_THROW(pool.run([] { throw std::string("x"); }), std::string);
  EXPECT_EQ(*pool.run([] { return std::make_unique<int>(3); }), 3);
}

TEST(pool, run_stays_on_the_calling_thread) {
  thread_pool pool({.workers = 2});
  const auto here = std::this_thread::get_id();
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(pool.run([] { return std::this_thread::get_id(); }), here);
}

TEST(pool, submitted_jobs_of_one_submitter_start_in_order) {
  std::vector<int> order;
  {
    thread_pool pool({.workers = 1});
    for (int i = 0; i < 1000; ++i) pool.submit([&order, i] { order.push_back(i); });
  }
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

// Two workers may begin two jobs in either order, but no thief takes jobs to begin them later. A
// worker that the system preempts delays one job; a thief that took half of them would delay many.
TEST(pool, jobs_submitted_by_a_job_start_in_order_also_where_they_are_stolen) {
  constexpr int job_count = 64;
  thread_pool pool({.workers = 2});
  for (int round = 0; round < 30; ++round) {
    std::atomic<int> started{0}, done{0};
    std::array<int, job_count> turn{};
    pool.submit([&] {
      for (int i = 0; i < job_count; ++i) {
        pool.submit([&, i] {
          turn[static_cast<std::size_t>(i)] = started++;
          const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
          while (std::chrono::steady_clock::now() < end) continue;
          ++done;
        });
      }
    });
    while (done != job_count) std::this_thread::yield();
    int late = 0;
    for (int i = 0; i < job_count; ++i) late += turn[static_cast<std::size_t>(i)] > i + 4;
    EXPECT_LE(late, 4);
    for (int i = 0; i < job_count; ++i)
      EXPECT_GE(turn[static_cast<std::size_t>(i)], i - 4 - late) << "job " << i << " overtook";
  }
}

// domainslib#29: a slot that was popped kept its closure alive.
TEST(pool, the_captures_of_a_submitted_job_are_gone_before_the_next_one_begins) {
  thread_pool pool({.workers = 1});
  const auto witness = std::make_shared<int>(1);
  std::atomic<long> seen{0};
  for (int round = 0; round < 100; ++round) {
    seen = 0;
    pool.submit([witness] {});
    pool.submit([&] { seen = witness.use_count(); });
    while (seen == 0) std::this_thread::yield();
    ASSERT_EQ(seen, 1) << "round " << round;
  }
}

TEST(pool, the_destructor_finishes_what_was_submitted_also_by_jobs_it_still_runs) {
  std::atomic<int> ran{0};
  std::function<void(int)> breed = [&](int depth) {
    ++ran;
    if (depth == 0) return;
    filch::this_pool()->submit([&breed, depth] { breed(depth - 1); });
    filch::this_pool()->submit([&breed, depth] { breed(depth - 1); });
  };
  {
    thread_pool pool({.workers = 3});
    pool.submit([&] { breed(9); });
    while (ran == 0) std::this_thread::yield();
  }
  EXPECT_EQ(ran, 1023);
}

TEST(pool, an_exception_that_escapes_from_a_submitted_job_reaches_the_handler) {
  static std::atomic<int> caught{0};
  {
    thread_pool pool(
        {.workers = 2, .on_escaped_exception = [](std::exception_ptr escaped) noexcept {
           try {
             std::rethrow_exception(escaped);
           } catch (int value) {
             caught += value;
           }
         }});
    for (int i = 1; i <= 4; ++i) pool.submit([i] { throw i; });
  }
  EXPECT_EQ(caught, 10);
}

TEST(pool, gives_what_a_captures_destructor_throws_to_the_handler_also_of_jobs_that_it_discards) {
  static std::atomic<int> caught{0};
  struct thrower {
    bool is_armed = true;
    thrower() = default;
    thrower(thrower&& other) noexcept : is_armed{std::exchange(other.is_armed, false)} {}
    ~thrower() noexcept(false) {
      if (is_armed) throw 6;
    }
  };
  std::atomic<bool> is_busy{false}, may_end{false};
  {
    thread_pool pool(
        {.workers = 1, .on_escaped_exception = [](std::exception_ptr) noexcept { ++caught; }});
    pool.submit([held = thrower{}] { (void)held; });
    pool.submit([&] {
      is_busy = true;
      while (!may_end) std::this_thread::yield();
    });
    while (!is_busy) std::this_thread::yield();
    for (int i = 0; i < 3; ++i)
      pool.submit([held = thrower{}] { FAIL() << "it was asked to stop"; });
    pool.request_stop();
    may_end = true;
  }
  EXPECT_EQ(caught, 4);
}

TEST(pool, worker_index_is_stable_below_capacity_and_npos_outside) {
  EXPECT_EQ(filch::worker_index(), filch::no_worker);
  thread_pool pool({.workers = 4});
  std::atomic<bool> wrong{false};
  pool.run([&] {
    filch::parallel_for(0, 10'000, [&](int) {
      const unsigned before = filch::worker_index();
      filch::join([] {}, [] {});
      if (before >= pool.worker_capacity() || filch::worker_index() != before) wrong = true;
    });
  });
  EXPECT_FALSE(wrong);
  EXPECT_EQ(filch::worker_index(), filch::no_worker);
}

TEST(pool, this_pool_names_the_innermost_pool_also_inside_blocking) {
  thread_pool a({.workers = 1});
  thread_pool b({.workers = 1});
  EXPECT_EQ(filch::this_pool(), nullptr);
  a.run([&] {
    EXPECT_EQ(filch::this_pool(), &a);
    b.run([&] { EXPECT_EQ(filch::this_pool(), &b); });
    filch::blocking([&] { EXPECT_EQ(filch::this_pool(), &a); });
    EXPECT_EQ(filch::this_pool(), &a);
  });
  EXPECT_EQ(filch::this_pool(), nullptr);
}

TEST(pool, metrics_add_up_over_workers) {
  thread_pool pool({.workers = 2});
  std::atomic<int> ran{0};
  for (int i = 0; i < 500; ++i) pool.submit([&] { ++ran; });
  while (ran != 500) std::this_thread::yield();
  const auto read = pool.metrics();
  std::uint64_t jobs = 0;
  for (const auto& each : read.workers) jobs += each.jobs_run;
  EXPECT_EQ(jobs, read.total.jobs_run);
  EXPECT_EQ(jobs, 500u);
}

/// The most bodies of a loop that ran at the same time.
int most_at_once(thread_pool& pool) {
  std::atomic<int> here{0};
  std::atomic<int> most{0};
  pool.run([&] {
    filch::parallel_for(0, 400, [&](int) {
      const int now = ++here;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      --here;
    });
  });
  return most;
}

/// A worker that holds a slot still gives it back. A loop that begins before would run beside it.
void await_idleness(const thread_pool& pool) {
  auto& parking = pool.core().parking();
  while (parking.is_in_use(parking.idle().peek())) std::this_thread::yield();
}

TEST(pool, hands_out_fewer_slots_while_the_cpu_budget_is_smaller) {
  thread_pool pool({.workers = 3});
  EXPECT_GT(most_at_once(pool), 1);
  pool.core().parking().allow(1);
  EXPECT_EQ(pool.concurrency(), 1u);
  await_idleness(pool);
  EXPECT_EQ(most_at_once(pool), 1);
  pool.core().parking().allow(3);
  EXPECT_GT(most_at_once(pool), 1);
}

/// How the pool is used while its budget changes.
enum class use { submitted_jobs, one_long_loop, short_loops, job_back_from_blocking };

/// Waits until `pool` hands out so many slots. Ends the process with 2 when that takes too long:
/// the promise is two seconds.
void await_concurrency(const thread_pool& pool, std::size_t wanted) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (pool.concurrency() != wanted) {
    if (std::chrono::steady_clock::now() > deadline) std::exit(2);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(pool, of_bounded_workers_takes_the_smaller_of_bound_and_budget) {
  const unsigned usual = thread_pool().concurrency();
  for (const unsigned most : {1u, 2u, 3u, 100'000u}) {
    const thread_pool pool({.max_workers = most});
    EXPECT_EQ(pool.concurrency(), std::min(usual, most)) << most;
  }
  thread_pool one({.max_workers = 1});
  EXPECT_LT(one.worker_capacity(), thread_pool({.workers = 2}).worker_capacity());
  EXPECT_EQ(most_at_once(one), 1);
}

/// Ends the process: 0 if the pools are as wide as the variable and the bound say.
[[noreturn]] void exit_as_the_environment_is_bounded() {
  ::setenv("FILCH_WORKERS", "5", 1);
  const bool below = thread_pool({.max_workers = 3}).concurrency() == 3;
  const bool above = thread_pool({.max_workers = 8}).concurrency() == 5;
  std::exit(below && above ? 0 : 1);
}

TEST(pool, of_bounded_workers_bounds_the_number_that_the_environment_asks_for) {
  EXPECT_EXIT(exit_as_the_environment_is_bounded(), testing::ExitedWithCode(0), "");
}

/// Ends the process: 0 if a pool that counted `before` CPUs hands out one slot once its maker
/// may use one of them only, and all of them, up to `most`, when it may use all again.
[[noreturn]] void exit_as_the_budget_is_followed(use how, unsigned most) {
  const std::vector<unsigned> before = filch::topo::current_affinity();
  thread_pool pool({.max_workers = most});
  const std::size_t all =
      std::min<std::size_t>({before.size(), filch::topo::read_budget().workers, most});
  if (pool.concurrency() != all) std::exit(1);
  std::atomic<bool> is_over{false};
  std::thread user([&] {
    const auto loop = [] { filch::parallel_for(0, 1000, [](int) { filch::base::cpu_relax(); }); };
    const auto loops = [&] {
      while (!is_over) loop();
    };
    if (how == use::one_long_loop) pool.run(loops);
    if (how == use::job_back_from_blocking) {
      std::atomic<bool> has_ended{false};
      pool.submit([&] {
        // Meanwhile no thread has a slot
        filch::blocking([] { std::this_thread::sleep_for(std::chrono::seconds(1)); });
        loops();
        has_ended = true;
      });
      while (!has_ended) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    while (!is_over) {
      std::atomic<bool> ran{how == use::short_loops};
      if (!ran) pool.submit([&] { ran = true; });
      if (ran) pool.run(loop);
      while (!ran) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(how == use::short_loops ? 1 : 20));
    }
  });
  filch::topo::set_current_affinity(std::span{before}.first(1));
  await_concurrency(pool, 1);
  filch::topo::set_current_affinity(before);
  await_concurrency(pool, all);
  filch::topo::set_current_affinity(std::span{before}.first(1));
  await_concurrency(pool, 1);
  is_over = true;
  user.join();
  await_idleness(pool);
  std::exit(most_at_once(pool) == 1 ? 0 : 3);
}

TEST(pool, follows_the_cpu_budget_both_ways_whichever_thread_runs) {
  if (!filch::topo::has_affinity()) GTEST_SKIP() << "this system has no affinity masks";
  if (std::getenv("FILCH_WORKERS") != nullptr) GTEST_SKIP() << "FILCH_WORKERS decides";
  for (const use how :
       {use::submitted_jobs, use::one_long_loop, use::short_loops, use::job_back_from_blocking}) {
    EXPECT_EXIT(exit_as_the_budget_is_followed(how, 100), testing::ExitedWithCode(0), "")
        << static_cast<int>(how);
  }
  EXPECT_EXIT(exit_as_the_budget_is_followed(use::short_loops, 2), testing::ExitedWithCode(0), "");
}

TEST(pool, pins_its_threads_where_asked_to) {
  thread_pool pool({.workers = 2, .pin = filch::pinning::compact});
  std::atomic<bool> was_pinned{false};
  std::atomic<bool> done{false};
  pool.submit([&] {
    was_pinned = filch::topo::current_affinity().size() == 1;
    done = true;
  });
  while (!done) std::this_thread::yield();
  EXPECT_TRUE(was_pinned);
}

}  // namespace
