// What timers cost, and how late they are.
#include <filch/co.hpp>
#include <filch/timers.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

namespace filch::inline v0_2 {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

double us_of(nanoseconds length) { return static_cast<double>(length.count()) / 1e3; }

// -------------------------------------------------------------------------------------------------
// cost
/// A timer outside of a frame: what a wait starts and its end cancels, without the wait.
struct started : co::timers::timed_node {
  using timed_node::timed_node;
  void begin() noexcept {
    choose_queue(nullptr);
    static_cast<void>(start());
  }
  void end() noexcept {
    co::sync::served_chain woken;
    interrupt(woken);
  }
};

/// Among `range(0)` others that are due later.
void start_and_cancel(benchmark::State& state) {
  thread_pool pool{{.workers = 1}};
  pool.run([&] {
    std::vector<std::unique_ptr<started>> others;
    for (long i = 0; i < state.range(0); ++i) {
      others.push_back(
          std::make_unique<started>(co::timers::due_in(1h + std::chrono::milliseconds(i))));
      others.back()->begin();
    }
    for (auto _ : state) {
      started one{co::timers::due_in(30min)};
      one.begin();
      one.end();
    }
    for (auto& each : others) each->end();
  });
}
BENCHMARK(start_and_cancel)->Arg(0)->Arg(1000);

task<> time_out_often(int times) {
  for (int i = 0; i < times; ++i)
    benchmark::DoNotOptimize(co_await with_timeout([]() -> task<int> { co_return 1; }(), 1h));
}
void a_timeout_that_is_not_reached(benchmark::State& state) {
  thread_pool pool{{.workers = static_cast<unsigned>(state.range(0))}};
  for (auto _ : state) block_on(spawn(pool, time_out_often(10'000)));
  state.counters["ns"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * 1e-5,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(a_timeout_that_is_not_reached)->Arg(1)->Arg(2)->UseRealTime()->MeasureProcessCPUTime();

// -------------------------------------------------------------------------------------------------
// lateness
void raise_to(std::atomic<long>& most, long seen) {
  for (long known = most; known < seen && !most.compare_exchange_weak(known, seen);) {
  }
}
task<> sleep_and_measure(std::atomic<long>& latest) {
  const auto due = co::now() + 10ms;
  co_await sleep_until(due);
  raise_to(latest, (co::now() - due).count());
}
task<> sleep_all(std::atomic<long>& latest, int count) {
  co::scope nursery;
  for (int i = 0; i < count; ++i) nursery.spawn(sleep_and_measure(latest));
  co_await nursery.join();
}
/// 10^5 sleeps at a time, each of 10 ms, begun as fast as possible: how late the latest is.
void sleeps_at_a_time(benchmark::State& state) {
  thread_pool pool{{.workers = static_cast<unsigned>(state.range(0))}};
  long worst = 0;
  for (auto _ : state) {
    std::atomic<long> latest{0};
    block_on(spawn(pool, sleep_all(latest, 100'000)));
    worst = std::max(worst, latest.load());
  }
  state.counters["latest_us"] = us_of(nanoseconds(worst));
}
BENCHMARK(sleeps_at_a_time)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(5);

task<> tick_and_measure(std::vector<nanoseconds>& late, int count, std::uint64_t& missed) {
  interval beat{1ms};
  for (int i = 0; i < count; ++i) {
    const tick each = co_await beat.next();
    late.push_back(co::now() - each.due);
    missed += each.missed;
  }
}
/// One timer of 1 kHz in a pool that has nothing else to do.
void one_kilohertz(benchmark::State& state) {
  thread_pool pool{{.workers = static_cast<unsigned>(state.range(0))}};
  std::vector<nanoseconds> late;
  std::uint64_t missed = 0;
  for (auto _ : state) block_on(spawn(pool, tick_and_measure(late, 1000, missed)));
  std::sort(late.begin(), late.end());
  state.counters["median_us"] = us_of(late[late.size() / 2]);
  state.counters["p99_us"] = us_of(late[late.size() * 99 / 100]);
  state.counters["latest_us"] = us_of(late.back());
  state.counters["missed"] = static_cast<double>(missed);
}
BENCHMARK(one_kilohertz)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3);

}  // namespace
}  // namespace filch
