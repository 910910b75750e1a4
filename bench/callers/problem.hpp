#pragma once
// Threads of the user that call into one pool of fewer workers. Measured: how soon a loop of one
// more thread begins; what short loops of all of them cost together; whether a thread that draws
// frames meets its deadlines beside long jobs of low priority.
#include <bench/harness/contender.hpp>
#include <bench/harness/median.hpp>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace bench::callers {

/// The size counts threads.
inline constexpr identity as(const char* peer) {
  return {.problem = "callers", .peer = peer, .size = 64, .variant = "first"};
}

inline void spin_for(double seconds) {
  for (const double end = now_seconds() + seconds; now_seconds() < end;) {
  }
}

/// From the call of a loop to its first iteration, while all other threads are in long loops.
template <class Loop>
void measure_first(contender& me, Loop& loop) {
  std::atomic<bool> is_over{false};
  std::atomic<unsigned> begun{0};
  const auto others_count = me.size<unsigned>();
  std::vector<std::thread> others;
  for (unsigned i = 0; i < others_count; ++i) {
    others.emplace_back([&] {
      ++begun;
      while (!is_over)
        loop(1000, [&](int) {
          if (!is_over) spin_for(20e-6);
        });
    });
  }
  while (begun != others_count) std::this_thread::yield();
  std::vector<double> seconds;
  for (int i = 0; i < 100; ++i) {
    std::atomic<double> first{0};
    const double start = now_seconds();
    loop(4, [&](int) {
      double none = 0;
      first.compare_exchange_strong(none, now_seconds());
    });
    seconds.push_back(first - start);
  }
  is_over = true;
  for (std::thread& each : others) each.join();
  me.report({{"seconds", median(seconds)}}, "");
}

/// A loop of four times 20 us, by all threads for a second.
template <class Loop>
void measure_short(contender& me, Loop& loop) {
  const auto count = me.size<unsigned>();
  std::vector<std::uint64_t> done(count);
  std::barrier all(count + 1);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      all.arrive_and_wait();
      for (const double end = now_seconds() + 1; now_seconds() < end; ++done[i])
        loop(4, [](int) { spin_for(20e-6); });
    });
  }
  all.arrive_and_wait();
  const double start = now_seconds();
  for (std::thread& each : threads) each.join();
  const double took = now_seconds() - start;
  std::uint64_t total = 0;
  for (const std::uint64_t each : done) total += each;
  const auto fewest = static_cast<double>(*std::min_element(done.begin(), done.end()));
  me.report({{"seconds", took / static_cast<double>(total)},
             {"fewest_of_mean", fewest * count / static_cast<double>(total)}},
            fewest == 0 ? "one thread never came on" : "");
}

/// Two seconds of 60 frames each, of 8 chunks of 250 us, beside jobs of 50 ms of which one is
/// always queued.
template <class Loop, class Background>
void measure_frames(contender& me, Loop& loop, Background& submit) {
  constexpr int frames = 120;
  constexpr auto period = std::chrono::nanoseconds(1'000'000'000 / 60);
  std::atomic<bool> is_over{false};
  std::atomic<unsigned> left{me.workers() + 1};
  std::function<void()> compute = [&] {
    spin_for(50e-3);
    is_over ? static_cast<void>(--left) : submit([&] { compute(); });
  };
  for (unsigned i = 0; i != me.workers() + 1; ++i) submit([&] { compute(); });
  std::vector<double> took;
  unsigned missed = 0;
  auto next = std::chrono::steady_clock::now();
  for (int i = 0; i < frames; ++i) {
    next += period;
    std::this_thread::sleep_until(next);
    const double start = now_seconds();
    loop(8, [](int) { spin_for(250e-6); });
    took.push_back(now_seconds() - start);
    missed += std::chrono::steady_clock::now() > next + period;
  }
  is_over = true;
  while (left != 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  me.report({{"seconds", median(took)}, {"missed", missed}}, "");
}

/// `loop(count, body)` calls `body(i)` for i in [0, count) as one parallel loop, `submit(job)` lets
/// a job of low priority run some time. Cases: "first", "short", "frames".
template <class Loop, class Background>
void measure(contender& me, Loop loop, Background submit) {
  me.require(me.size() > 0, "--size counts threads: it must be at least 1");
  loop(4, [](int) {});
  for (unsigned i = 0; i != me.repeat(); ++i) {
    if (me.variant() == "first") {
      measure_first(me, loop);
    } else if (me.variant() == "short") {
      measure_short(me, loop);
    } else if (me.variant() == "frames") {
      measure_frames(me, loop, submit);
    } else {
      me.require(false, "--case must be first, short or frames");
    }
  }
}

}  // namespace bench::callers
