#pragma once
// What a scheduler asks of a deque: an owner that pushes and pops, thieves that steal the oldest.
// 10^7 numbers go in, and each must come out once: pushed and popped in bursts of 64, pushed and
// stolen by one thread, and pushed and popped while the other workers steal without pause.
#include <bench/harness/contender.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace bench::deques {

/// As many as lie in the deque at once.
inline constexpr std::uint64_t burst = 64;

inline constexpr identity as(const char* peer) {
  return {.problem = "deques", .peer = peer, .size = 10'000'000, .variant = "push-pop"};
}

/// What came out.
struct batch_steal_result {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;

  bool take(const std::optional<std::uint64_t>& item) noexcept {
    count += item ? 1 : 0;
    sum += item.value_or(0);
    return item.has_value();
  }
  batch_steal_result operator+(const batch_steal_result& other) const noexcept {
    return {count + other.count, sum + other.sum};
  }
};

/// Pushes the numbers before `items`; after each burst `empty(deque, batch_steal_result)` may take
/// them.
template <class Deque, class Empty>
batch_steal_result in_bursts(Deque& deque, std::uint64_t items, const Empty& empty) {
  batch_steal_result taken;
  for (std::uint64_t item = 0; item < items;) {
    for (std::uint64_t i = 0; i < burst && item < items; ++i) deque.push(item++);
    empty(deque, taken);
  }
  return taken;
}

template <class Deque>
void pop_burst(Deque& deque, batch_steal_result& taken) {
  for (std::uint64_t i = 0; i < burst; ++i) taken.take(deque.pop());
}

template <class Deque>
void steal_burst(Deque& deque, batch_steal_result& taken) {
  for (std::uint64_t i = 0; i < burst; ++i) taken.take(deque.steal());
}

/// The owner pushes and pops while `thieves` steal without pause.
template <class Deque>
batch_steal_result contended(Deque& deque, std::uint64_t items, unsigned thieves) {
  std::atomic<bool> over{false};
  std::vector<batch_steal_result> stolen(thieves);
  batch_steal_result taken;
  {
    std::vector<std::jthread> threads;
    for (batch_steal_result& mine : stolen) {
      threads.emplace_back([&] {
        batch_steal_result all;  // not `mine`: thieves must not share a cache line
        while (!over.load(std::memory_order_relaxed)) all.take(deque.steal());
        mine = all;
      });
    }
    taken = in_bursts(deque, items, pop_burst<Deque>);
    over.store(true, std::memory_order_relaxed);
  }
  for (const batch_steal_result& each : stolen) taken = taken + each;
  return taken;
}

/// Says what is wrong with all that came out; empty when nothing.
inline std::string check(std::uint64_t items, const batch_steal_result& taken) {
  if (taken.count == items && taken.sum == items * (items - 1) / 2) return {};
  return std::to_string(items) + " numbers went in, " + std::to_string(taken.count) +
         " came out, of the sum " + std::to_string(taken.sum);
}

/// Times `--size` items through a `Deque`. Cases: "push-pop", "steal" (by the owner's thread, so
/// that nothing is contended) and "contended", with `--workers` less one thieves.
template <class Deque>
void measure(contender& me) {
  const std::string& name = me.variant();
  me.require(name == "push-pop" || name == "steal" || name == "contended",
             "--case is push-pop, steal or contended");
  // Glibc's mutex takes no locked instruction before a second thread has existed
  std::jthread([] {}).join();
  me.measure(
      me.size<std::uint64_t>(),
      [&](std::uint64_t items) {
        Deque deque;
        if (name == "contended") return contended(deque, items, me.workers() - 1);
        return in_bursts(deque, items, name == "steal" ? steal_burst<Deque> : pop_burst<Deque>);
      },
      check);
}

}  // namespace bench::deques
