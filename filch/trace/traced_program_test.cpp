// A program for the tests of the recorder. `fib N` computes once, `spin N` until it is killed,
// `session N` once in a session of its own. `graph N` runs a task graph as often. `log FILE` runs
// jobs until it is killed, and notes each in FILE; `fork FILE` forks them, so that none is stolen.
#include <filch/base/clock.hpp>
#include <filch/fork.hpp>
#include <filch/graph.hpp>
#include <filch/trace.hpp>
#include <filch/trace/job_log_test.hpp>

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

using filch::trace::job_log;
using filch::trace::logged_job;

long fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

void note(job_log& log, std::atomic<int>& left, unsigned kind) {
  constexpr std::uint64_t lasts_ns = 100'000;
  logged_job* const mine = log.add();
  const std::uint64_t begin_ns = filch::base::now_ns();
  if (mine != nullptr) {
    mine->thread = ::gettid();
    mine->kind = kind;
    mine->begin_ns = begin_ns;
  }
  while (filch::base::now_ns() < begin_ns + lasts_ns) {
  }
  if (mine != nullptr) mine->end_ns = filch::base::now_ns();
  --left;
}

// A lambda has the name of the function around it, so these jobs have different names in
// recordings.
void red(filch::thread_pool& pool, job_log& log, std::atomic<int>& left) {
  pool.submit([&] { note(log, left, 1); });
}
void green(filch::thread_pool& pool, job_log& log, std::atomic<int>& left) {
  pool.submit([&] { note(log, left, 2); });
}
void blue(filch::thread_pool& pool, job_log& log, std::atomic<int>& left) {
  pool.submit([&] { note(log, left, 3); });
}

/// Jobs of three kinds in an order that does not repeat soon.
[[noreturn]] void run_jobs(filch::thread_pool& pool, const char* path) {
  job_log log{path};
  if (!log.is_open()) std::exit(1);
  constexpr int most_left = 16;
  std::atomic<int> left{0};
  for (std::uint32_t random = 1;; random = random * 1664525 + 1013904223) {
    while (left >= most_left || log.count() + most_left >= job_log::most)
      std::this_thread::yield();  // each that begins finds a place
    ++left;
    (random >> 16) % 3 == 0   ? red(pool, log, left)
    : (random >> 16) % 3 == 1 ? green(pool, log, left)
                              : blue(pool, log, left);
  }
}

void fork_red(job_log& log, std::atomic<int>& left) {
  filch::join([] {}, [&] { note(log, left, 1); });
}
void fork_green(job_log& log, std::atomic<int>& left) {
  filch::join([] {}, [&] { note(log, left, 2); });
}
void fork_blue(job_log& log, std::atomic<int>& left) {
  filch::join([] {}, [&] { note(log, left, 3); });
}

/// The same as right sides of joins, one behind the other on the only worker.
[[noreturn]] void run_forks(const char* path) {
  job_log log{path};
  if (!log.is_open()) std::exit(1);
  filch::thread_pool pool({.workers = 1});
  std::atomic<int> left{0};
  pool.run([&] {
    for (std::uint32_t random = 1;; random = random * 1664525 + 1013904223) {
      while (log.count() + 1 >= job_log::most) std::this_thread::yield();
      const std::uint32_t kind = (random >> 16) % 3;
      kind == 0 ? fork_red(log, left) : kind == 1 ? fork_green(log, left) : fork_blue(log, left);
    }
  });
  std::abort();
}

/// A session is the first that the process has of filch.
int run_in_session(unsigned n) {
  filch::trace_session own({.file = {}, .level = filch::trace_level::jobs});
  std::printf("%ld\n", filch::default_pool().run([n] { return fib(n); }));
  return own.end().entries.empty() ? 1 : 0;
}

/// A frame of a game. The graph is gone before the recording ends.
int run_graph(unsigned times) {
  filch::thread_pool pool({.workers = 2});
  filch::task_graph frame;
  frame.set_name("frame");
  const auto input = frame.emplace("input", [] { return fib(12); });
  const auto physics = frame.emplace(
      "physics", [](long n) { return fib(18) + n; }, input);
  const auto sound = frame.emplace(
      "sound", [](long n) { return n; }, input);
  frame.emplace(
      "present", [](long a, long b) { std::printf("%ld\n", a + b); }, physics, sound);
  for (unsigned i = 0; i != times; ++i) frame.run(filch::with(pool));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::strcmp(argv[1], "session") == 0)
    return run_in_session(static_cast<unsigned>(std::atoi(argv[2])));
  if (argc > 2 && std::strcmp(argv[1], "graph") == 0)
    return run_graph(static_cast<unsigned>(std::atoi(argv[2])));
  if (argc > 2 && std::strcmp(argv[1], "fork") == 0) run_forks(argv[2]);
  filch::thread_pool pool({.workers = 2});
  if (argc > 2 && std::strcmp(argv[1], "log") == 0) run_jobs(pool, argv[2]);
  const auto n = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 30);
  const bool spins = argc > 1 && std::strcmp(argv[1], "spin") == 0;
  do {
    std::printf("%ld\n", pool.run([n] { return fib(n); }));
    std::fflush(stdout);
  } while (spins);
}
