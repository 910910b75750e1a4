#pragma once
// Sleeps: 100,000 tasks that begin as fast as they can and sleep for 10 ms each: how long all take,
// and how late the latest ends.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace bench::sleeps {

using clock = std::chrono::steady_clock;
inline constexpr std::chrono::milliseconds length{10};
inline constexpr std::uint64_t default_sleeps = 100'000;

/// How late the sleeping tasks woke. Threads: any.
class latest {
 public:
  void see(clock::time_point due) {
    const std::int64_t late = (clock::now() - due).count();
    std::int64_t most = ns_.load(std::memory_order_relaxed);
    while (most < late && !ns_.compare_exchange_weak(most, late, std::memory_order_relaxed)) {
    }
    early_.fetch_add(late < 0, std::memory_order_relaxed);
    ended_.fetch_add(1, std::memory_order_relaxed);
  }
  std::uint64_t ended() const { return ended_; }
  double us() const { return static_cast<double>(ns_) / 1e3; }
  /// What is wrong; empty if nothing is.
  std::string complaint(std::uint64_t wanted) const {
    if (early_ != 0) return std::to_string(early_) + " ended early";
    return ended_ == wanted ? ""
                            : std::to_string(ended_) + " of " + std::to_string(wanted) + " ended";
  }

 private:
  std::atomic<std::int64_t> ns_{0};
  std::atomic<std::uint64_t> early_{0}, ended_{0};
};

/// As often as asked: `run` lets all of them sleep and records the latest.
template <class Contender, class F>
void measure(Contender& me, F run) {
  for (unsigned i = 0; i != me.repeat(); ++i) {
    latest seen;
    const clock::time_point begin = clock::now();
    run(seen);
    const std::chrono::duration<double> seconds = clock::now() - begin;
    me.report({{"seconds", seconds.count()}, {"latest_us", seen.us()}},
              seen.complaint(me.template size<std::uint64_t>()));
  }
}

}  // namespace bench::sleeps
