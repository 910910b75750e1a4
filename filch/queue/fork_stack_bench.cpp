// What the fork stack costs its owner while no thief steals, and what it costs to expose, on
// request or by force.
#include <filch/base/atomic.hpp>
#include <filch/base/membarrier.hpp>
#include <filch/base/thread.hpp>
#include <filch/queue/fork_stack.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>

namespace {

using filch::queue::fork_entry;
using filch::queue::fork_stack;
using filch::queue::pop_outcome;

constexpr int burst = 16;

void nothing(void*) {}

/// A stack with entries of its own.
struct stocked_stack {
  explicit stocked_stack(bool settle_always = !filch::base::has_asymmetric_fence()) {
    stack.adopt(entries.data(), entries.size(), settle_always);
  }
  void push_burst() {
    for (int i = 0; i < burst; ++i) stack.push(stack.bottom(), {nothing, nullptr});
  }
  void pop_burst() {
    for (int i = 0; i < burst; ++i) {
      fork_entry* const at = stack.bottom() - 1;
      if (!stack.pop_private(at)) benchmark::DoNotOptimize(stack.settle(at));
    }
  }

  std::array<fork_entry, 64> entries{};
  fork_stack stack;
};

/// Unstolen: what a fork pays.
void push_then_pop(benchmark::State& state, bool settle_always) {
  stocked_stack mine(settle_always);
  for (auto _ : state) {
    mine.push_burst();
    mine.pop_burst();
  }
  state.SetItemsProcessed(state.iterations() * burst);
}

/// A burst of which `expose` makes a part public, and which is taken back: an answered request for
/// which no thief came.
template <class Expose>
void push_expose_pop(benchmark::State& state, Expose&& expose) {
  stocked_stack mine;
  for (auto _ : state) {
    mine.push_burst();
    benchmark::DoNotOptimize(expose(mine.stack));
    mine.pop_burst();
  }
  state.SetItemsProcessed(state.iterations());
}

/// By force while another thread computes, which the fence must interrupt, as a thief's fence
/// interrupts its victim.
void force_beside_one_that_computes(benchmark::State& state) {
  filch::base::atomic<bool> is_over{false};
  filch::base::thread other = filch::base::start_thread(0, [&] {
    while (!is_over.load(filch::base::relaxed)) {
    }
  });
  push_expose_pop(state, [](fork_stack& stack) { return stack.expose_by_force(); });
  is_over.store(true, filch::base::relaxed);
  other.join();
}

/// A burst that is exposed completely and stolen completely. Counted: steals.
void push_expose_steal(benchmark::State& state) {
  stocked_stack mine;
  for (auto _ : state) {
    fork_entry* const first = mine.stack.bottom();
    mine.push_burst();
    while (mine.stack.expose() != 0) {
      while (fork_entry* const stolen = mine.stack.steal()) benchmark::DoNotOptimize(stolen);
    }
    mine.stack.release(first);
  }
  state.SetItemsProcessed(state.iterations() * burst);
}

void expose_asked(fork_stack& stack) {
  stack.request_work();
  benchmark::DoNotOptimize(stack.take_request());
  benchmark::DoNotOptimize(stack.expose());
}

BENCHMARK_CAPTURE(push_then_pop, as_here, !filch::base::has_asymmetric_fence());
BENCHMARK_CAPTURE(push_then_pop, settling_always, true);
BENCHMARK_CAPTURE(push_expose_pop, asked, [](fork_stack& stack) {
  expose_asked(stack);
  return 0;
});
BENCHMARK(force_beside_one_that_computes)->UseRealTime();
BENCHMARK_CAPTURE(push_expose_pop, by_force,
                  [](fork_stack& stack) { return stack.expose_by_force(); });
BENCHMARK(push_expose_steal);

}  // namespace
