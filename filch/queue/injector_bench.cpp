// What it costs to inject a job and to take it, and to check an empty queue.
#include <filch/queue/injector.hpp>

#include <benchmark/benchmark.h>

namespace {

/// With two threads each may take the other's job; it goes on with whatever it got.
void push_then_pop(benchmark::State& state) {
  static filch::queue::injector<> queue;
  static filch::queue::injected jobs[2];
  filch::queue::injected* mine = &jobs[state.thread_index()];
  for (auto _ : state) {
    queue.push(*mine);
    do {
      mine = queue.pop();
    } while (mine == nullptr);
  }
  state.SetItemsProcessed(state.iterations());
}

void look_into_an_empty_one(benchmark::State& state) {
  filch::queue::injector<> queue;
  for (auto _ : state) benchmark::DoNotOptimize(queue.pop());
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(push_then_pop)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(look_into_an_empty_one);

}  // namespace
