#pragma once
// Threads that fight for one cache line. The same text runs on real threads, in a program that
// links the shipped library, and on simulated ones.
#include <filch/base/atomic.hpp>
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/queue/deque.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace filch::scaling {

/// Called by thread `i` of a race before it begins: real threads bind themselves, since two threads
/// of one core that wait for each other would need a time slice for each step.
inline void (*bind_thread)(unsigned i) = nullptr;

/// Runs `body(i)` on `count` threads at once. Returns how long they took, from the first one's
/// begin to the last one's end.
template <class Body>
double race_ns(unsigned count, Body body) {
  base::atomic<unsigned> ready{0};
  std::vector<std::uint64_t> begins(count), ends(count);
  std::vector<base::thread> threads;
  for (unsigned i = 0; i < count; ++i) {
    threads.push_back(base::start_thread(i, [&, i] {
      if (bind_thread != nullptr) bind_thread(i);
      ready.fetch_add(1, std::memory_order_acq_rel);
      while (ready.load(std::memory_order_acquire) < count) base::cpu_relax();
      begins[i] = base::now_ns();
      body(i);
      ends[i] = base::now_ns();
    }));
  }
  for (base::thread& each : threads) each.join();
  const auto [first, last] =
      std::pair{*std::ranges::min_element(begins), *std::ranges::max_element(ends)};
  return static_cast<double>(last - first);
}

/// On a line of its own.
struct alignas(128) contended_word {
  base::atomic<std::uint64_t> value{0};
};

/// One counter. Returns the time of an addition, over all threads.
inline double counter_ns(unsigned threads, std::uint64_t times) {
  contended_word counter;
  return race_ns(threads,
                 [&](unsigned) {
                   for (std::uint64_t i = 0; i < times; ++i)
                     counter.value.fetch_add(1, std::memory_order_relaxed);
                 }) /
         static_cast<double>(times * threads);
}

/// Two threads write one word in turn, and call `wait` between two looks at it. Returns the time
/// from one's store to the other's.
template <class Wait>
double ping_pong_ns(std::uint64_t times, Wait wait) {
  contended_word word;
  return race_ns(2,
                 [&](unsigned me) {
                   for (std::uint64_t i = me; i < 2 * times; i += 2) {
                     while (word.value.load(std::memory_order_acquire) != i) wait();
                     word.value.store(i + 1, std::memory_order_release);
                   }
                 }) /
         static_cast<double>(2 * times);
}

/// An owner pushes and pops, while a thief, if there is one, steals all the time. Returns the time
/// of the owner's push and pop.
inline double deque_top_ns(unsigned thieves, std::uint64_t times) {
  queue::deque<std::uint64_t> jobs;
  contended_word is_over;
  double owner_ns = 0;
  race_ns(1 + thieves, [&](unsigned me) {
    if (me != 0) {
      while (is_over.value.load(std::memory_order_relaxed) == 0) static_cast<void>(jobs.steal());
      return;
    }
    const std::uint64_t begin = base::now_ns();
    for (std::uint64_t i = 0; i < times; ++i) {
      jobs.push(i);
      static_cast<void>(jobs.pop());
    }
    owner_ns = static_cast<double>(base::now_ns() - begin);
    is_over.value.store(1, std::memory_order_relaxed);
  });
  return owner_ns / static_cast<double>(times);
}

/// How often a benchmark does its operation in a run. Short, so that some runs are undisturbed on a
/// machine that has other work.
inline constexpr std::uint64_t contention_times = 5'000;

/// One benchmark of the table.
struct contention {
  const char* name;
  const char* unit;  ///< What its time is of.
  double (*run)(std::uint64_t times);
};

inline constexpr std::array<contention, 6> contentions{{
    {"counter, 1 thread", "fetch_add", [](std::uint64_t times) { return counter_ns(1, times); }},
    {"counter, 2 threads", "fetch_add", [](std::uint64_t times) { return counter_ns(2, times); }},
    {"ping-pong", "way", [](std::uint64_t times) { return ping_pong_ns(times, [] {}); }},
    {"ping-pong with pauses", "way",
     [](std::uint64_t times) { return ping_pong_ns(times, base::cpu_relax); }},
    {"deque, owner alone", "push and pop",
     [](std::uint64_t times) { return deque_top_ns(0, times); }},
    {"deque, owner and thief", "push and pop",
     [](std::uint64_t times) { return deque_top_ns(1, times); }},
}};

}  // namespace filch::scaling
