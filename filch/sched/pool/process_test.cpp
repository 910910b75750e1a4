// Processes that fork and processes that get no threads. Sanitizers allow neither.
#include <filch/filch.hpp>
#include <filch/sched/pool/mailbox_test.hpp>
#include <filch/topo/affinity.hpp>

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace {

using filch::thread_pool;

long fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

int child_status(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

/// Forks a child that uses `pool` and the default pool in every way, and expects it to succeed.
void expect_a_child_to_compute(thread_pool& pool) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::atomic<int> ran{0};
    pool.submit([&] { ++ran; });
    while (ran != 1) std::this_thread::yield();
    ::_exit(pool.run([] { return fib(20); }) == 6765 && fib(20) == 6765 ? 42 : 1);
  }
  EXPECT_EQ(child_status(child), 42);
}

void await(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

TEST(process, a_forked_child_has_fresh_pools) {
  std::atomic<bool> started{false}, stop{false};
  thread_pool pool({.workers = 1});  // last: its jobs use what stands above
  EXPECT_EQ(pool.run([] { return fib(20); }), 6765);
  pool.submit([&] {  // the child must not wait for this one, which has the only slot
    started = true;
    await(stop);
  });
  await(started);
  fib(16);  // the default pool is in use too
  expect_a_child_to_compute(pool);
  stop = true;
}

TEST(process, a_child_of_an_unused_pool_can_use_it) {
  thread_pool pool({.workers = 2});
  expect_a_child_to_compute(pool);
}

TEST(process, a_child_does_not_count_on_workers_that_slept) {
  thread_pool pool({.workers = 2});
  pool.warm_up();
  fib(16);
  while (pool.metrics().total.parks < 2) std::this_thread::yield();
  expect_a_child_to_compute(pool);
  EXPECT_EQ(pool.run([] { return fib(20); }), 6765);  // its parent's workers are what they were
}

TEST(process, a_child_does_not_wait_for_joins_that_stalled) {
  std::atomic<bool> stolen{false}, took_its_slot{false}, stop{false};
  thread_pool pool({.workers = 2});  // last: its jobs use what stands above
  std::thread stalled([&] {
    pool.run([&] {
      filch::join([&] { await(stolen); },
                  [&] {
                    stolen = true;
                    await(stop);
                  });
    });
  });
  while (pool.metrics().total.slots_handed_over == 0) std::this_thread::yield();
  pool.submit([&] {
    took_its_slot = true;
    await(stop);
  });
  await(took_its_slot);
  expect_a_child_to_compute(pool);
  stop = true;
  stalled.join();
}

TEST(process, fork_from_inside_a_job_gives_a_child_that_can_compute_and_exit) {
  thread_pool pool({.workers = 2});
  const int status = pool.run([&] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(pool.run([] { return fib(20); }) == 6765 ? 42 : 1);
    return child_status(child);
  });
  EXPECT_EQ(status, 42);
}

/// In a child: whether a pool that it makes hands out one slot once this thread may run on one CPU
/// only.
bool is_followed_by_its_pools() {
  thread_pool made;
  const std::vector<unsigned> before = filch::topo::current_affinity();
  filch::topo::set_current_affinity(std::span{before}.first(1));
  const auto begin = std::chrono::steady_clock::now();
  while (made.concurrency() != 1 &&
         std::chrono::steady_clock::now() - begin < std::chrono::seconds(10)) {
    made.submit([] {});  // the worker that searches afterwards reviews the budget
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return made.concurrency() == 1;
}

TEST(process, a_child_that_a_worker_forks_is_no_worker_and_its_pools_follow_its_affinity) {
  if (!filch::topo::has_affinity()) GTEST_SKIP() << "this system has no affinity masks";
  if (std::getenv("FILCH_WORKERS") != nullptr) GTEST_SKIP() << "FILCH_WORKERS decides";
  thread_pool pool({.workers = 1});
  std::atomic<int> status{-1};
  pool.submit([&] {  // so a worker's thread runs it
    const pid_t child = ::fork();
    if (child == 0) ::_exit(is_followed_by_its_pools() ? 42 : 1);
    status = child_status(child);
  });
  while (status == -1) std::this_thread::yield();
  EXPECT_EQ(status, 42);
}

TEST(process, a_child_may_destroy_a_pool_that_it_inherited_and_leave_by_exit) {
  auto pool = std::make_unique<thread_pool>(filch::pool_options{.workers = 2});
  pool->warm_up();
  fib(16);  // the default pool is in use too
  const pid_t child = ::fork();
  if (child == 0) {
    pool.reset();
    fib(16);
    std::exit(42);  // with the destructors of static objects
  }
  EXPECT_EQ(child_status(child), 42);
}

TEST(process, a_forked_child_leaves_the_source_of_a_pool_alone) {
  auto pool = std::make_unique<thread_pool>(filch::pool_options{.workers = 1});
  filch::sched::mailbox box{*pool};
  pool->core().attach(box);
  const pid_t child = ::fork();
  if (child == 0) {
    const bool is_told = box.lacks_driver;
    pool.reset();  // its core is a fresh one, which knows no source
    ::_exit(is_told ? 42 : 1);
  }
  EXPECT_EQ(child_status(child), 42);
  EXPECT_FALSE(box.lacks_driver);
  pool.reset();  // first
}

/// Runs `no_threads_test.cpp` with so large stacks that the address space holds few, and expects it
/// to find what `granted` says. Under root only RLIMIT_AS is sure to refuse a thread: its stack
/// does not fit.
void expect_in_a_small_space(const char* granted, rlim_t stack_bytes, rlim_t space_bytes) {
  const pid_t child = ::fork();
  if (child == 0) {
    rlimit limit{};
    ::getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = stack_bytes;  // what a new thread's stack takes its size from
    if (::setrlimit(RLIMIT_STACK, &limit) != 0) ::_exit(42);
    const rlimit space{space_bytes, space_bytes};
    ::setrlimit(RLIMIT_AS, &space);
    ::execl(FILCH_NO_THREADS_PROGRAM, "no_threads", granted, static_cast<char*>(nullptr));
    ::_exit(2);
  }
  EXPECT_EQ(child_status(child), 42);
}

constexpr rlim_t gib = rlim_t{1} << 30;

TEST(process, runs_serially_where_the_system_refuses_threads) {
  expect_in_a_small_space("none", 1024 * gib, 4 * gib);
}

TEST(process, works_with_those_threads_that_the_system_grants) {
  expect_in_a_small_space("some", 4 * gib, 10 * gib);
}

}  // namespace
