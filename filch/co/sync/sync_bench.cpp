// What the primitives cost on one worker and on two.
#include <filch/co.hpp>
#include <filch/sync.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <fstream>
#include <utility>
#include <vector>

#include <unistd.h>

namespace filch::inline v0_2 {
namespace {

/// Runs `body(count)` on a pool with as many workers as the benchmark's first argument says. The
/// report is per one of `count`.
template <class Body>
void run_batches(benchmark::State& state, int count, Body body) {
  thread_pool pool{{.workers = static_cast<unsigned>(state.range(0))}};
  for (auto _ : state) block_on(spawn(pool, body(count)));
  const double all = static_cast<double>(state.iterations()) * count;
  state.counters["ns"] =
      benchmark::Counter(all * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
void widths(benchmark::internal::Benchmark* of) {
  of->Arg(1)->Arg(2)->UseRealTime()->MeasureProcessCPUTime();
}

// -------------------------------------------------------------------------------------------------
// locks
task<> lock_often(async_mutex& lock, long& sum, int times) {
  for (int i = 0; i < times; ++i) {
    const async_lock held = co_await lock.lock();
    ++sum;
  }
}
task<> lock_side_by_side(int tasks, int times) {
  async_mutex lock;
  long sum = 0;
  co::scope nursery;
  for (int i = 0; i < tasks; ++i) nursery.spawn(lock_often(lock, sum, times / tasks));
  co_await nursery.join();
  benchmark::DoNotOptimize(sum);
}
void a_lock_of_one(benchmark::State& state) {
  run_batches(state, 1'000'000, [](int times) { return lock_side_by_side(1, times); });
}
BENCHMARK(a_lock_of_one)->Arg(1)->UseRealTime();
void a_lock_of_64(benchmark::State& state) {
  run_batches(state, 1'000'000, [](int times) { return lock_side_by_side(64, times); });
}
BENCHMARK(a_lock_of_64)->Apply(widths);

task<> hold_often(async_mutex& lock, long& sum, int times) {
  for (int i = 0; i < times; ++i) {
    const async_lock held = co_await lock.lock();
    co_await co::yield();
    ++sum;
  }
}
task<> hold_side_by_side(int tasks, int times) {
  async_mutex lock;
  long sum = 0;
  co::scope nursery;
  for (int i = 0; i < tasks; ++i) nursery.spawn(hold_often(lock, sum, times / tasks));
  co_await nursery.join();
  benchmark::DoNotOptimize(sum);
}
/// Each holds it across a yield, so that all others wait.
void a_lock_held_across_awaits(benchmark::State& state) {
  run_batches(state, 200'000, [](int times) { return hold_side_by_side(8, times); });
}
BENCHMARK(a_lock_held_across_awaits)->Apply(widths);

// -------------------------------------------------------------------------------------------------
// channels
task<> send_many(channel<long>& to, int count) {
  for (long i = 0; i < count; ++i) static_cast<void>(co_await to.send(i));
}
task<> receive_all(channel<long>& from) {
  while (const std::optional<long> found = co_await from.receive())
    benchmark::DoNotOptimize(*found);
}
task<> send_all(channel<long>& to, int tasks, int count) {
  co::scope senders;
  for (int i = 0; i < tasks; ++i) senders.spawn(send_many(to, count / tasks));
  co_await senders.join();
  to.close();
}
task<> stream(std::size_t capacity, int tasks, int count) {
  channel<long> values{capacity};
  co::scope all;
  all.spawn(send_all(values, tasks, count));
  for (int i = 0; i < tasks; ++i) all.spawn(receive_all(values));
  co_await all.join();
}
/// The second argument is the capacity, the third the number of senders and of receivers.
void a_stream(benchmark::State& state) {
  run_batches(state, 1'000'000, [&](int count) {
    return stream(static_cast<std::size_t>(state.range(1)), static_cast<int>(state.range(2)),
                  count);
  });
}
BENCHMARK(a_stream)
    ->ArgsProduct({{1, 2}, {128, 1024}, {1, 4}})
    ->Args({1, 0, 1})
    ->Args({2, 0, 1})
    ->UseRealTime()
    ->MeasureProcessCPUTime();

task<> echo(channel<int>& from, channel<int>& to) {
  while (const std::optional<int> found = co_await from.receive())
    static_cast<void>(co_await to.send(*found));
}
task<> go_round(std::size_t capacity, int times) {
  channel<int> there{capacity}, back{capacity};
  join_handle<> other = spawn(echo(there, back));
  for (int i = 0; i < times; ++i) {
    static_cast<void>(co_await there.send(i));
    benchmark::DoNotOptimize(co_await back.receive());
  }
  there.close();
  co_await other;
}
/// The second argument is the capacity.
void a_round_trip(benchmark::State& state) {
  run_batches(state, 200'000,
              [&](int times) { return go_round(static_cast<std::size_t>(state.range(1)), times); });
}
BENCHMARK(a_round_trip)->ArgsProduct({{1, 2}, {0, 1}})->UseRealTime()->MeasureProcessCPUTime();

// -------------------------------------------------------------------------------------------------
// one of several
task<> receive_from_either(channel<long>& first, channel<long>& second) {
  for (;;) {
    const auto found = co_await select(first.receive(), second.receive());
    const std::optional<long>& value =
        found.index == 0 ? std::get<0>(found.value) : std::get<1>(found.value);
    if (!value) break;
    benchmark::DoNotOptimize(*value);
  }
}
task<> send_in_turn(channel<long>& first, channel<long>& second, int count) {
  for (long i = 0; i < count; i += 2) {
    static_cast<void>(co_await first.send(i));
    static_cast<void>(co_await second.send(i));
  }
  first.close();
}
task<> stream_over_two(std::size_t capacity, int count) {
  channel<long> first{capacity}, second{capacity};
  co::scope all;
  all.spawn(send_in_turn(first, second, count));
  all.spawn(receive_from_either(first, second));
  co_await all.join();
}
/// The second argument is the capacity of each of the two.
void a_select(benchmark::State& state) {
  run_batches(state, 400'000, [&](int count) {
    return stream_over_two(static_cast<std::size_t>(state.range(1)), count);
  });
}
BENCHMARK(a_select)->ArgsProduct({{1, 2}, {0, 1024}})->UseRealTime()->MeasureProcessCPUTime();

// -------------------------------------------------------------------------------------------------
// broadcasts
task<> listen(broadcast<long>::receiver from) {
  while (const auto got = co_await from.receive()) benchmark::DoNotOptimize(*got);
}
task<> tell(int receivers, int count) {
  broadcast<long> values{1024};
  co::scope all;
  for (int i = 0; i < receivers; ++i) all.spawn(listen(values.subscribe()));
  for (long i = 0; i < count; ++i) {
    static_cast<void>(values.send(i));
    if (i % 256 == 0) co_await co::yield();  // so that receivers miss little
  }
  values.close();
  co_await all.join();
}
/// The second argument is the number of receivers.
void a_broadcast(benchmark::State& state) {
  run_batches(state, 200'000,
              [&](int count) { return tell(static_cast<int>(state.range(1)), count); });
}
BENCHMARK(a_broadcast)->ArgsProduct({{1, 2}, {1, 8}})->UseRealTime()->MeasureProcessCPUTime();

// -------------------------------------------------------------------------------------------------
// memory
double resident_bytes() {
  std::ifstream pages{"/proc/self/statm"};
  double all = 0, resident = 0;
  pages >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}
/// Its own frame: the reference and the operation.
task<> wait_for(async_event& event, async_latch& waits) {
  waits.count_down();
  co_await event.wait();
}
template <class Make>
task<> spawn_and_join(std::size_t count, Make make) {
  co::scope all;
  for (std::size_t i = 0; i < count; ++i) all.spawn(make());
  co_await all.join();
}
/// Bytes of memory that a suspended task takes, of a million that are spawned in a scope. Measured
/// as resident memory, once in a process: a second run would reuse what the first one left.
void a_suspended_task(benchmark::State& state) {
  constexpr std::size_t count = 1'000'000;
  double bytes = 0;
  for (auto _ : state) {
    thread_pool pool{{.workers = static_cast<unsigned>(state.range(0))}};
    async_event event;
    async_latch begun{count};
    const double before = resident_bytes();
    join_handle<> all = spawn(pool, spawn_and_join(count, [&] { return wait_for(event, begun); }));
    filch::wait(begun.wait());
    bytes = (resident_bytes() - before) / count;
    event.set();
    block_on(std::move(all));
  }
  state.counters["bytes"] = bytes;
}
BENCHMARK(a_suspended_task)->Arg(2)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace filch
