#pragma once
// Mixed: a loop that wants all workers, a timer of 1 kHz and an echo of 64 bytes a millisecond, on
// the same workers. How late is the timer, how long does the echo take, and how much slower is the
// loop than alone, less the processor time that timer and echo take alone?
#include <bench/harness/contender.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

namespace bench::mixed {

inline constexpr identity as(const char* peer) {
  return {.problem = "mixed", .peer = peer, .size = 3};
}

inline constexpr std::size_t message_bytes = 64;
inline constexpr auto period = std::chrono::milliseconds(1);

/// One iteration: some 200 ns that touch no memory.
inline std::uint64_t iterate(std::uint64_t i) {
  for (int step = 0; step != 100; ++step) i = i * 6364136223846793005U + 1442695040888963407U;
  return i;
}
/// How many a loop has; its end is looked at afterwards.
inline constexpr std::uint64_t iterations_at_once = 200'000;

using clock = std::chrono::steady_clock;
using microseconds = std::vector<double>;

inline double us_since(clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(clock::now() - begin).count();
}

/// Nearest rank. Sorts.
inline double percentile(microseconds& all, double percent) {
  if (all.empty()) return 0;
  std::sort(all.begin(), all.end());
  const auto rank = static_cast<std::size_t>(percent / 100 * static_cast<double>(all.size()));
  return all[std::min(rank, all.size() - 1)];
}

/// What was seen of the timer and the echo.
struct latencies {
  microseconds late, round_trips;
};

/// What one run of the loop reached.
struct loop_run {
  double seconds = 0;
  double iterations = 0;
  double rate() const { return iterations / seconds; }
};

/// Runs `loop_once()`, of `iterations_at_once`, again and again for so many seconds.
template <class Loop>
loop_run loop_for(double seconds, Loop&& loop_once) {
  loop_run done;
  const double start = now_seconds();
  while ((done.seconds = now_seconds() - start) < seconds) {
    loop_once();
    done.iterations += static_cast<double>(iterations_at_once);
  }
  return done;
}

/// Processor time of this process per second, while `f()` runs.
template <class F>
double cpu_of(F&& f) {
  const std::clock_t before = std::clock();
  const double seconds = seconds_of(f);
  return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / seconds;
}

/// Reports a run. `services` took `services_cpu` processors when they ran alone: what the loop
/// lost beyond that is what sharing costs.
inline void report(contender& me, latencies& seen, const loop_run& alone, const loop_run& beside,
                   double services_cpu) {
  const double lost = 1 - beside.rate() / alone.rate();
  // Timers of whole milliseconds come to less than half
  const auto expected = static_cast<std::size_t>(beside.seconds * 1000 / 3);
  const bool ran = seen.late.size() >= expected && seen.round_trips.size() >= expected;
  const std::string complaint = ran ? ""
                                    : std::to_string(seen.late.size()) + " ticks and " +
                                          std::to_string(seen.round_trips.size()) +
                                          " messages in " + std::to_string(beside.seconds) + " s";
  me.report({{"timer_p50_us", percentile(seen.late, 50)},
             {"timer_p99_us", percentile(seen.late, 99)},
             {"echo_p50_us", percentile(seen.round_trips, 50)},
             {"echo_p99_us", percentile(seen.round_trips, 99)},
             {"loop_lost_percent", 100 * lost},
             {"loop_lost_beyond_percent", 100 * (lost - services_cpu / me.workers())}},
            complaint);
}

}  // namespace bench::mixed
