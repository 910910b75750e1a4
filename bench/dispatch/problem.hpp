#pragma once
// What it costs to start a loop of two iterations and see it end: empty ones, and ones that must
// meet on two threads. `empty` in batches of 100, because a call is shorter than reading the clock;
// `meet`: each half says that it is there and spins for the other; `cold`: that after 10 ms of
// sleep.
#include <bench/harness/contender.hpp>
#include <bench/harness/median.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace bench::dispatch {

inline constexpr identity as(const char* peer) {
  return {.problem = "dispatch", .peer = peer, .size = 20'000, .variant = "empty"};
}

/// Two halves that each wait for the other, round after round: nothing but a second thread gets
/// them past.
class meeting {
 public:
  /// Half `half` of round `round` arrives and spins for the other; false when that did not come
  /// within two seconds.
  bool arrive(int half, std::uint32_t round) {
    place(half).store(round, std::memory_order_release);
    const std::atomic<std::uint32_t>& other = place(1 - half);
    double deadline = 0;
    for (std::uint32_t spins = 1; other.load(std::memory_order_acquire) < round; ++spins) {
      if (spins % 65536 != 0) continue;
      if (deadline == 0) deadline = now_seconds() + 2;
      if (now_seconds() > deadline) return false;
    }
    return true;
  }

 private:
  struct alignas(128) padded {
    std::atomic<std::uint32_t> round{0};
  };
  std::atomic<std::uint32_t>& place(int half) {
    return places_[static_cast<std::size_t>(half)].round;
  }
  std::array<padded, 2> places_;
};

/// Times empty loops in batches, because one is shorter than reading the clock.
template <class Loop>
void measure_empty(contender& me, Loop& loop) {
  constexpr int batch = 100;
  std::vector<double> seconds;
  for (std::int64_t done = 0; done < me.size(); done += batch) {
    const double start = now_seconds();
    for (int i = 0; i != batch; ++i) loop([](int half) { asm volatile("" : : "r"(half)); });
    seconds.push_back((now_seconds() - start) / batch);
  }
  me.report({{"seconds", median(seconds)}}, "");
}

/// Times loops whose halves meet, each after `pause`; a hundred are enough if all would take
/// longer than five seconds.
template <class Loop>
void measure_meetings(contender& me, Loop& loop, std::chrono::milliseconds pause) {
  meeting place;
  std::atomic<bool> met{true};
  std::vector<double> seconds;
  const double enough_at = now_seconds() + 5;
  for (std::uint32_t round = 1; round <= me.size<std::uint32_t>() && met.load(); ++round) {
    if (round > 100 && now_seconds() > enough_at) break;
    if (pause.count() != 0) std::this_thread::sleep_for(pause);
    const double start = now_seconds();
    loop([&](int half) {
      if (!place.arrive(half, round)) met.store(false);
    });
    seconds.push_back(now_seconds() - start);
  }
  me.report({{"seconds", median(seconds)}},
            met.load() ? "" : "the two halves did not meet: one thread ran both, or none came");
}

/// `loop(body)` calls `body(0)` and `body(1)`, as one parallel loop. Cases: "empty", "meet" back to
/// back, "cold": meet after 10 ms.
template <class Loop>
void measure(contender& me, const std::string& kind, Loop loop) {
  me.require(me.size() > 0, "--size counts the loops: it must be at least 1");
  for (int i = 0; i != 1000; ++i) loop([](int half) { asm volatile("" : : "r"(half)); });
  for (unsigned i = 0; i != me.repeat(); ++i) {
    if (kind == "empty") {
      measure_empty(me, loop);
    } else if (kind == "meet") {
      measure_meetings(me, loop, std::chrono::milliseconds(0));
    } else if (kind == "cold") {
      measure_meetings(me, loop, std::chrono::milliseconds(10));
    } else {
      me.require(false, "--case must be empty, meet or cold, or one of them with -inside appended");
    }
  }
}

/// Measures from the main thread, or with "-inside" in a job of the pool: `run(f)` runs `f` there.
template <class Run, class Loop>
void measure_where(contender& me, Run run, Loop loop) {
  const std::string suffix = "-inside";
  std::string kind = me.variant();
  if (!kind.ends_with(suffix)) return measure(me, kind, loop);
  kind.resize(kind.size() - suffix.size());
  run([&] { measure(me, kind, loop); });
}

}  // namespace bench::dispatch
