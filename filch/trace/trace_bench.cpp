// What an event costs: counted only, and counted and written with the time it happened.
#include <filch/base/clock.hpp>
#include <filch/event/emit.hpp>
#include <filch/trace/ring.hpp>

#include <benchmark/benchmark.h>

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

}  // namespace
