#pragma once
#include <filch/base/atomic.hpp>
#include <filch/base/clock.hpp>
#include <filch/base/order.hpp>

#include <algorithm>
#include <cstdint>

namespace filch::inline v0_2::sched {

/// How many ticks a microsecond has, measured from the beginning of a pool on: the longer it lives,
/// the more exact.
class pool_clock {
 public:
  /// As last measured, or `base::ticks_per_us` until then.
  // Relaxed: a number alone
  std::uint64_t ticks_per_us() const noexcept { return ticks_per_us_.load(base::relaxed); }
  /// Threads: one at a time.
  void measure(std::uint64_t now_ticks) noexcept {
    const std::uint64_t age_us = elapsed_ns() / 1000;
    if (age_us < 10) return;  // over less the measurement is useless
    ticks_per_us_.store(std::max<std::uint64_t>(elapsed_ticks(now_ticks) / age_us, 1),
                        base::relaxed);
  }
  /// Since the pool began.
  std::uint64_t elapsed_ns() const noexcept { return base::now_ns() - started_ns_; }
  std::uint64_t elapsed_ticks(std::uint64_t now_ticks) const noexcept {
    return now_ticks - started_ticks_;
  }

 private:
  const std::uint64_t started_ns_ = base::now_ns();
  const std::uint64_t started_ticks_ = base::ticks();
  /// Writer: the reviewer of the budget. Readers: all.
  base::atomic<std::uint64_t> ticks_per_us_{base::ticks_per_us()};
};

}  // namespace filch::sched
