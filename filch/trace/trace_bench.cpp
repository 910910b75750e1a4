// What an event costs: counted only, and counted and written with the time it happened; and what jobs cost whose runs are recorded.
#include <filch/base/clock.hpp>
#include <filch/event/emit.hpp>
#include <filch/fork.hpp>
#include <filch/trace.hpp>
#include <filch/trace/ring.hpp>

#include <benchmark/benchmark.h>

#include <optional>
#include <vector>

namespace {

using filch::event::counters;
using filch::event::kind;
using filch::event::record;

using ring = filch::trace::basic_ring<filch::base::real_sync>;

struct memory {
  ring::word head{0};
  std::vector<ring::word> words = std::vector<ring::word>(2 * 65536);
};

void count(benchmark::State& state) {
  counters mine;
  for (auto _ : state) {
    filch::event::emit(mine, kind::steal_won);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(count);

void look_at_the_clock(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(filch::base::ticks());
}
BENCHMARK(look_at_the_clock);

void write_without_the_clock(benchmark::State& state) {
  memory places;
  ring written{places.head, places.words.data(), 65536};
  std::uint16_t other = 0;
  for (auto _ : state) {
    written.push(record{1, kind::steal_won, filch::event::activity::working, {}, 1, ++other, 0}.pack());
  }
}
BENCHMARK(write_without_the_clock);

void write(benchmark::State& state) {
  memory places;
  ring written{places.head, places.words.data(), 65536};
  std::uint16_t other = 0;
  for (auto _ : state) {
    written.push(record{filch::base::ticks(), kind::steal_won, filch::event::activity::working, {}, 1, ++other, 0}.pack());
  }
}
BENCHMARK(write);

/// 84 ns on the machine of README.md, in a chain that nothing shortens.
std::uint64_t work(std::uint64_t seed) {
  for (int i = 0; i < 96; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    benchmark::DoNotOptimize(seed);
  }
  return seed;
}

std::uint64_t tree(unsigned depth, std::uint64_t seed) {
  if (depth == 0) return work(seed);
  const auto [a, b] = filch::join([=] { return tree(depth - 1, seed); }, [=] { return tree(depth - 1, seed + 1); });
  return a ^ b;
}

/// Arguments: 0 unrecorded, 1 steals, 2 jobs. Items are jobs.
void small_jobs(benchmark::State& state) {
  constexpr unsigned depth = 12;
  filch::thread_pool pool({.workers = 1});
  std::optional<filch::trace_session> session;
  if (state.range(0) == 1) session.emplace();
  if (state.range(0) == 2) session.emplace(filch::trace_options{.file = {}, .level = filch::trace_level::jobs});
  for (auto _ : state) benchmark::DoNotOptimize(pool.run([] { return tree(depth, 1); }));
  state.SetItemsProcessed(state.iterations() << depth);
}
BENCHMARK(small_jobs)->DenseRange(0, 2);

}  // namespace
