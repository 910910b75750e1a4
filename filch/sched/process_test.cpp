// Processes that fork and processes that get no threads. Sanitizers allow neither.
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

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

TEST(process, a_forked_child_has_fresh_pools) {
  thread_pool pool({.workers = 1});
  EXPECT_EQ(pool.run([] { return fib(20); }), 6765);
  std::atomic<bool> started{false}, stop{false};
  pool.submit([&] {  // the child must not wait for this one, which has the only slot
    started = true;
    while (!stop) std::this_thread::yield();
  });
  while (!started) std::this_thread::yield();
  fib(16);  // the default pool is in use too
  const pid_t child = ::fork();
  if (child == 0) {
    std::atomic<int> ran{0};
    pool.submit([&] { ++ran; });
    while (ran != 1) std::this_thread::yield();
    ::_exit(pool.run([] { return fib(20); }) == 6765 && fib(20) == 6765 ? 42 : 1);
  }
  EXPECT_EQ(child_status(child), 42);
  stop = true;
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

TEST(process, runs_serially_where_the_system_refuses_threads) {
  const pid_t child = ::fork();
  if (child == 0) {
    // Under root only RLIMIT_AS is sure to refuse a thread: its stack does not fit.
    rlimit limit{};
    ::getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = rlim_t{1} << 40;  // what a new thread's stack takes its size from
    if (::setrlimit(RLIMIT_STACK, &limit) != 0) ::_exit(42);
    const rlimit space{rlim_t{4} << 30, rlim_t{4} << 30};
    ::setrlimit(RLIMIT_AS, &space);
    ::execl(FILCH_NO_THREADS_PROGRAM, "no_threads", static_cast<char*>(nullptr));
    ::_exit(2);
  }
  EXPECT_EQ(child_status(child), 42);
}

}  // namespace
