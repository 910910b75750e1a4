// Threads of the user that call into one pool of two workers, all at once: each begins at once, so
// that they can wait for each other.
#include <filch/filch.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/prove/stopwatch.hpp>
#include <tools/cli/report.hpp>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace filch::cli::prove {

namespace {

constexpr std::uint64_t patience_ns = 5'000'000'000;

/// How many of `count` threads are inside at the same time, all of which stay until the last has
/// come, or for five seconds.
unsigned most_inside(thread_pool& pool, unsigned count) {
  std::atomic<unsigned> inside{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != count; ++i) {
    threads.emplace_back([&] {
      pool.run([&] {
        ++inside;
        for (const std::uint64_t end = base::now_ns() + patience_ns;
             inside != count && base::now_ns() < end;)
          std::this_thread::yield();
      });
    });
  }
  for (std::thread& each : threads) each.join();
  return inside;
}

/// Whether a thread that holds a lock can sort while a loop of the same pool wants that lock.
bool sorts_under_a_lock_that_a_loop_wants(thread_pool& pool) {
  std::mutex lock;
  std::atomic<bool> is_locked{false}, is_wanted{false}, is_late{false};
  std::vector<int> values(100'000);
  for (std::size_t i = 0; i != values.size(); ++i) values[i] = static_cast<int>(values.size() - i);
  std::thread filler{[&] {
    const std::lock_guard held{lock};
    is_locked = true;
    while (!is_wanted) std::this_thread::yield();
    pool.run([&] { filch::sort(values); });
  }};
  while (!is_locked) std::this_thread::yield();
  pool.run([&] {
    parallel_for(0, 8, [&](int) {
      is_wanted = true;
      const std::uint64_t end = base::now_ns() + patience_ns;
      while (!lock.try_lock()) {
        if (base::now_ns() > end) {
          is_late = true;
          return;
        }
        std::this_thread::yield();
      }
      lock.unlock();
    });
  });
  filler.join();
  return !is_late;
}

}  // namespace

proof callers_begin_at_once() {
  constexpr unsigned count = 64;
  thread_pool pool{{.workers = 2}};
  const unsigned inside = most_inside(pool, count);
  const bool sorts = sorts_under_a_lock_that_a_loop_wants(pool);
  return {inside == count && sorts,
          fmt::format("{} of {} threads met inside a pool of 2 workers. A thread sorted with a "
                      "lock held that a running loop "
                      "wanted: {}.",
                      inside, count, sorts ? "the loop ended" : "the loop waited for 5 s in vain")};
}

}  // namespace filch::cli::prove
