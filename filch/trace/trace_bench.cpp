// The cost of an event: counted only, and counted and written with its time. The cost of jobs that
// are recorded.
#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/event/details.hpp>
#include <filch/fork.hpp>
#include <filch/trace.hpp>
#include <filch/trace/ring.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
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
    filch::event::count_event(mine, kind::steal_won);
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
    written.push(
        record{1, kind::steal_won, filch::event::activity::working, {}, 1, ++other, 0}.pack());
  }
}
BENCHMARK(write_without_the_clock);

void write(benchmark::State& state) {
  memory places;
  ring written{places.head, places.words.data(), 65536};
  std::uint16_t other = 0;
  for (auto _ : state) {
    written.push(record{
        filch::base::ticks(), kind::steal_won, filch::event::activity::working, {}, 1, ++other, 0}
                     .pack());
  }
}
BENCHMARK(write);

constexpr unsigned depth = 12;

/// 84 ns on a 2-core guest (Zen 4), in a dependent chain.
std::uint64_t work(std::uint64_t seed) {
  for (int i = 0; i < 96; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    benchmark::DoNotOptimize(seed);
  }
  return seed;
}

std::uint64_t tree(unsigned height, std::uint64_t seed) {
  if (height == 0) return work(seed);
  const auto [a, b] = filch::join([=] { return tree(height - 1, seed); },
                                  [=] { return tree(height - 1, seed + 1); });
  return a ^ b;
}

/// The CPU time of the calling thread, without that of other programs.
double cpu_ns_of(filch::thread_pool& pool, const std::optional<filch::trace_level>& level) {
  constexpr unsigned times = 4;
  std::optional<filch::trace_session> session;
  if (level) session.emplace(filch::trace_options{.file = {}, .level = *level});
  return pool.run([&] {
    benchmark::DoNotOptimize(tree(depth, 1));  // the caches are those of this level
    const std::uint64_t begin = filch::base::own_cpu_ns();
    for (unsigned i = 0; i < times; ++i) benchmark::DoNotOptimize(tree(depth, i));
    return static_cast<double>(filch::base::own_cpu_ns() - begin) / (times << depth);
  });
}

double median_of(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

/// The three levels in turn, so that a slower machine slows down each. A job has two events: it
/// begins and it ends. Figures are medians; those of levels are of the differences to the
/// unrecorded run beside them.
void small_jobs(benchmark::State& state) {
  filch::thread_pool pool({.workers = 1});
  std::vector<double> off, steal, jobs;
  for (auto _ : state) {
    off.push_back(cpu_ns_of(pool, {}));
    steal.push_back(cpu_ns_of(pool, filch::trace_level::steal) - off.back());
    jobs.push_back(cpu_ns_of(pool, filch::trace_level::jobs) - off.back());
  }
  state.counters["job_ns"] = median_of(off);
  state.counters["steal_level_ns_a_job"] = median_of(steal);
  state.counters["job_level_ns_an_event"] = median_of(jobs) / 2;
}
BENCHMARK(small_jobs)->Iterations(300)->Unit(benchmark::kMillisecond);

}  // namespace
