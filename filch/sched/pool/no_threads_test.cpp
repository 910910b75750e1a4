// Run by process_test in a process that gets no threads, or fewer than it asks for. Exit status 42:
// everything went as promised.
#include <filch/filch.hpp>

#include <atomic>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

namespace {

long fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// Whether `f` fails with an error that names the thread which was refused.
template <class F>
bool names_the_refused_thread(F&& f) {
  try {
    f();
    return false;
  } catch (const std::system_error& refused) {
    return std::string(refused.what()).find("worker thread") != std::string::npos;
  }
}

bool groups_run_in_their_wait(filch::thread_pool& pool) {
  int ran = 0;
  pool.run([&] {
    filch::task_group one;
    filch::task_group two;
    one.run([&] { ++ran; });
    two.run([&] { ++ran; });
    one.wait();
    two.wait();
  });
  return ran == 2;
}

/// The exit status for a pool that gets no threads.
int without_threads(filch::thread_pool& pool) {
  if (pool.run([] { return fib(20); }) != 6765) return 3;
  if (!names_the_refused_thread([&] { pool.submit([] {}); })) return 4;
  return groups_run_in_their_wait(pool) ? 42 : 5;
}

/// The exit status for a pool that gets some of its threads.
int with_some_threads(filch::thread_pool& pool) {
  if (!names_the_refused_thread([&] { pool.warm_up(); })) return 6;
  // A thread counts itself, once it runs
  while (pool.metrics().total.threads_started == 0) std::this_thread::yield();
  if (pool.metrics().total.threads_started >= pool.concurrency()) return 7;
  constexpr int job_count = 1000;
  std::atomic<int> ran{0};
  for (int i = 0; i < job_count; ++i) pool.submit([&] { ++ran; });
  while (ran != job_count) std::this_thread::yield();
  if (pool.run([] { return fib(20); }) != 6765) return 8;
  return groups_run_in_their_wait(pool) ? 42 : 9;
}

}  // namespace

int main(int, char** arguments) {
  filch::thread_pool pool({.workers = 4});
  return std::string_view(arguments[1]) == "none" ? without_threads(pool) : with_some_threads(pool);
}
