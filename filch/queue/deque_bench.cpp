// What the deque costs, alone and contended, compared with the simplest alternative.
#include <filch/queue/deque.hpp>

#include <benchmark/benchmark.h>

#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace {

using deque = filch::queue::deque<int*>;

int an_item;

/// glibc's mutex takes no locked instruction until a second thread has existed. No program with
/// thieves is like that.
[[maybe_unused]] const bool had_two_threads = (std::thread{[] {}}.join(), true);

/// The alternative that one would write first.
class locked_deque {
 public:
  void push(int* item) {
    const std::lock_guard lock{mutex_};
    items_.push_back(item);
  }
  std::optional<int*> pop() {
    const std::lock_guard lock{mutex_};
    if (items_.empty()) return std::nullopt;
    int* const item = items_.back();
    items_.pop_back();
    return item;
  }
  std::optional<int*> steal() {
    const std::lock_guard lock{mutex_};
    if (items_.empty()) return std::nullopt;
    int* const item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::deque<int*> items_;
};

constexpr int burst = 16;

template <class Queue>
void push_then_pop(benchmark::State& state) {
  Queue queue;
  for (auto _ : state) {
    for (int i = 0; i < burst; ++i) queue.push(&an_item);
    for (int i = 0; i < burst; ++i) benchmark::DoNotOptimize(queue.pop());
  }
  state.SetItemsProcessed(state.iterations() * burst);
}

template <class Queue>
void push_then_steal(benchmark::State& state) {
  Queue queue;
  for (auto _ : state) {
    for (int i = 0; i < burst; ++i) queue.push(&an_item);
    for (int i = 0; i < burst; ++i) benchmark::DoNotOptimize(queue.steal());
  }
  state.SetItemsProcessed(state.iterations() * burst);
}

void push_then_take_oldest(benchmark::State& state) {
  deque queue;
  for (auto _ : state) {
    for (int i = 0; i < burst; ++i) queue.push(&an_item);
    for (int i = 0; i < burst; ++i) benchmark::DoNotOptimize(queue.take_oldest());
  }
  state.SetItemsProcessed(state.iterations() * burst);
}

/// Thread 0 owns, the others steal without pause. Counted: the owner's pushes.
template <class Queue>
void owner_against_thieves(benchmark::State& state) {
  static Queue queue;
  for (auto _ : state) {
    for (int i = 0; i < burst; ++i) {
      if (state.thread_index() == 0) {
        queue.push(&an_item);
      } else {
        benchmark::DoNotOptimize(queue.steal());
      }
    }
    for (int i = 0; i < burst && state.thread_index() == 0; ++i)
      benchmark::DoNotOptimize(queue.pop());
  }
  if (state.thread_index() == 0) state.SetItemsProcessed(state.iterations() * burst);
}

BENCHMARK(push_then_pop<deque>);
BENCHMARK(push_then_pop<locked_deque>);
BENCHMARK(push_then_steal<deque>);
BENCHMARK(push_then_steal<locked_deque>);
BENCHMARK(push_then_take_oldest);
BENCHMARK(owner_against_thieves<deque>)->Threads(2)->UseRealTime();
BENCHMARK(owner_against_thieves<locked_deque>)->Threads(2)->UseRealTime();

}  // namespace
