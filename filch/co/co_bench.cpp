// What a coroutine costs on one worker and on two.
#include <filch/co.hpp>
#include <filch/filch.hpp>

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <utility>
#include <vector>

namespace filch::inline v0_2 {
namespace {

task<> nothing() { co_return; }
task<int> give(int value) { co_return value; }

void frame(benchmark::State& state) {
  thread_pool pool{{.workers = 1}};
  pool.run([&] {
    for (auto _ : state) {
      void* const room = co::allocate_frame(160);
      benchmark::DoNotOptimize(room);
      co::release_frame(room, 160);
    }
  });
}
BENCHMARK(frame);

void frame_from_malloc(benchmark::State& state) {
  for (auto _ : state) {
    void* const room = std::malloc(160);
    benchmark::DoNotOptimize(room);
    std::free(room);
  }
}
BENCHMARK(frame_from_malloc);

/// Runs `body(count)` in a pool of the benchmark's width, and reports the time per item.
template <class Body>
void run_batches(benchmark::State& state, Body body, int count) {
  thread_pool pool{{.workers = static_cast<unsigned>(state.range(0))}};
  for (auto _ : state) block_on(spawn(pool, body(count)));
  state.SetItemsProcessed(state.iterations() * count);
  state.counters["ns"] =
      benchmark::Counter(static_cast<double>(state.iterations() * count) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

task<> call_often(int count) {
  for (int i = 0; i < count; ++i) benchmark::DoNotOptimize(co_await give(i));
}
void call(benchmark::State& state) { run_batches(state, call_often, 1'000'000); }
BENCHMARK(call)->Arg(1)->MeasureProcessCPUTime()->UseRealTime();

task<> spawn_batch(int count) {
  std::vector<join_handle<>> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all.push_back(spawn(nothing()));
  for (join_handle<>& each : all) co_await each;
}
void spawn_a_batch_and_await_all(benchmark::State& state) {
  run_batches(state, spawn_batch, 10'000);
}
BENCHMARK(spawn_a_batch_and_await_all)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime();

/// Computes for some `length` ns.
task<> work(int length) {
  for (int steps = length; steps > 0; --steps) benchmark::DoNotOptimize(steps);
  co_return;
}
task<> spawn_workers(int count, int length) {
  std::vector<join_handle<>> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all.push_back(spawn(work(length)));
  for (join_handle<>& each : all) co_await each;
}
void spawn_a_batch_that_works(benchmark::State& state) {
  run_batches(
      state, [&](int count) { return spawn_workers(count, static_cast<int>(state.range(1))); },
      10'000);
}
BENCHMARK(spawn_a_batch_that_works)
    ->ArgsProduct({{1, 2}, {100, 400, 1000, 4000}})
    ->MeasureProcessCPUTime()
    ->UseRealTime();

task<> spawn_one_by_one(int count) {
  for (int i = 0; i < count; ++i) benchmark::DoNotOptimize(co_await spawn(give(i)));
}
void spawn_and_await_one(benchmark::State& state) { run_batches(state, spawn_one_by_one, 100'000); }
BENCHMARK(spawn_and_await_one)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime();

/// Each spawns the next and does not wait.
task<> link(int left, bool& done) {
  if (left > 0) {
    spawn(link(left - 1, done));
  } else {
    done = true;
  }
  co_return;
}
task<> spawn_chain(int count) {
  bool done = false;
  spawn(link(count, done));
  while (!done) co_await co::yield();
}
void spawn_a_chain(benchmark::State& state) { run_batches(state, spawn_chain, 100'000); }
BENCHMARK(spawn_a_chain)->Arg(1)->MeasureProcessCPUTime()->UseRealTime();

task<> yield_often(int count) {
  for (int i = 0; i < count; ++i) co_await co::yield();
}
task<> yield_in_pairs(int count) {
  join_handle<> one = spawn(yield_often(count / 2)), other = spawn(yield_often(count / 2));
  co_await one;
  co_await other;
}
void yield_to_another(benchmark::State& state) { run_batches(state, yield_in_pairs, 1'000'000); }
BENCHMARK(yield_to_another)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime();
void yield_to_nobody(benchmark::State& state) { run_batches(state, yield_often, 1'000'000); }
BENCHMARK(yield_to_nobody)->Arg(1)->MeasureProcessCPUTime()->UseRealTime();

task<long> fib(int n) {
  if (n < 2) co_return n;
  co_return co_await fib(n - 1) + co_await fib(n - 2);
}
task<> fib_of(int calls) {
  benchmark::DoNotOptimize(calls);
  benchmark::DoNotOptimize(co_await fib(25));
}
/// 242,785 calls.
void fib_by_awaits(benchmark::State& state) { run_batches(state, fib_of, 242'785); }
BENCHMARK(fib_by_awaits)->Arg(1)->MeasureProcessCPUTime()->UseRealTime();

task<long> forked_fib(int n) {
  if (n < 2) co_return n;
  co::forked<long> left = co_await co::fork(forked_fib(n - 1));
  const long right = co_await forked_fib(n - 2);
  co_await co::join;
  co_return left.get() + right;
}
constexpr int forked_fib_of = 30;
task<> fork_often(int forks) {
  benchmark::DoNotOptimize(forks);
  benchmark::DoNotOptimize(co_await forked_fib(forked_fib_of));
}
/// Per fork, of 1,346,268: a forked child, a called one, and the join.
void fib_by_forks(benchmark::State& state) { run_batches(state, fork_often, 1'346'268); }
BENCHMARK(fib_by_forks)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime();

task<long> called_fib(int n) {
  if (n < 2) co_return n;
  const long left = co_await called_fib(n - 1);
  co_return left + co_await called_fib(n - 2);
}
task<> call_in_pairs(int forks) {
  benchmark::DoNotOptimize(forks);
  benchmark::DoNotOptimize(co_await called_fib(forked_fib_of));
}
/// The same by awaits alone, per pair of calls.
void fib_by_pairs_of_awaits(benchmark::State& state) {
  run_batches(state, call_in_pairs, 1'346'268);
}
BENCHMARK(fib_by_pairs_of_awaits)->Arg(1)->MeasureProcessCPUTime()->UseRealTime();

[[gnu::noinline]] long plain_fib(int n) {
  if (n < 2) return n;
  const long left = plain_fib(n - 1);
  return left + plain_fib(n - 2);
}
task<> recurse(int forks) {
  benchmark::DoNotOptimize(forks);
  benchmark::DoNotOptimize(plain_fib(forked_fib_of));
  co_return;
}
/// The same as plain functions.
void fib_by_recursion(benchmark::State& state) { run_batches(state, recurse, 1'346'268); }
BENCHMARK(fib_by_recursion)->Arg(1)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace filch
