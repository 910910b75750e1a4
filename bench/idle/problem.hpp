#pragma once
// What a pool uses when there is nothing to do, next to nothing, or work for one worker only.
#include <bench/harness/contender.hpp>
#include <bench/idle/threads.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>

namespace bench::idle {

inline constexpr identity as(const char* peer) {
  return {.problem = "idle", .peer = peer, .size = 10, .variant = "quiet"};
}

inline void sleep_seconds(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

inline void spin_seconds(double seconds) {
  const double end = now_seconds() + seconds;
  while (now_seconds() < end) {
  }
}

/// The last job of every contender is a loop of so many iterations, each of a tenth of a
/// millisecond.
inline constexpr int iterations = 1000;
inline void iteration(int) { spin_seconds(1e-4); }

/// After the last job: processor time per second over `--size` seconds, context switches in their
/// second half.
template <class Pool>
void measure_quiet(contender& me, Pool& pool) {
  const double seconds = me.size<int>();
  pool.work();
  const usage_by_thread start = other_threads();
  sleep_seconds(seconds / 2);
  const usage_by_thread middle = other_threads();
  sleep_seconds(seconds / 2);
  const usage_by_thread end = other_threads();
  me.report({{"cpu_ms_per_second", 1e3 * total(difference(start, end)).cpu_seconds / seconds},
             {"switches", static_cast<double>(total(difference(middle, end)).switches)}},
            "");
}

/// One trivial job a millisecond for `--size` seconds: the share of a core that the whole process
/// uses, sender included.
template <class Pool>
void measure_trickle(contender& me, Pool& pool) {
  using clock = std::chrono::steady_clock;
  std::atomic<std::int64_t> done{0};
  pool.work();
  const std::int64_t jobs = me.size() * 1000;
  const double start = now_seconds();
  const std::clock_t cpu_start = std::clock();
  auto next = clock::now();
  for (std::int64_t i = 0; i != jobs; ++i) {
    pool.submit([&done] { done.fetch_add(1); });
    std::this_thread::sleep_until(next += std::chrono::milliseconds(1));
  }
  const double used = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  const double share = used / (now_seconds() - start);
  sleep_seconds(0.1);
  me.report({{"core_percent", 100 * share}},
            done.load() == jobs ? "" : "a tenth of a second later some jobs had not run");
}

/// A job of `--size` seconds on the calling thread: the share of a core that the busiest other
/// thread uses meanwhile.
template <class Pool>
void measure_long_job(contender& me, Pool& pool) {
  const double seconds = me.size<int>();
  pool.work();
  double worst = 0;
  pool.run([&] {
    const usage_by_thread before = other_threads();
    spin_seconds(seconds);
    for (const auto& [id, used] : difference(before, other_threads()))
      worst = std::max(worst, used.cpu_seconds);
  });
  me.report({{"core_percent", 100 * worst / seconds}}, "");
}

/// `Pool` has `work()`, which keeps all its workers busy for a moment, `submit(f)` and `run(f)`.
template <class Pool>
void measure(contender& me, Pool&& pool) {
  me.require(me.size() > 0, "--size counts seconds: it must be at least 1");
  for (unsigned i = 0; i != me.repeat(); ++i) {
    if (me.variant() == "quiet") {
      measure_quiet(me, pool);
    } else if (me.variant() == "trickle") {
      measure_trickle(me, pool);
    } else if (me.variant() == "long-job") {
      measure_long_job(me, pool);
    } else {
      me.require(false, "--case must be quiet, trickle or long-job");
    }
  }
}

}  // namespace bench::idle
