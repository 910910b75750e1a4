#pragma once
#include <filch/base/clock.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sched/worker/demand.hpp>

namespace filch::inline v0_2::sched {

/// A thread with a slot that waits for jobs of other threads. Threads: that thread.
class join_spin {
 public:
  /// Begins now.
  explicit join_spin(const demand& wants) noexcept : wants_{wants} {}
  /// Begins anew, as the thread has run a job.
  void begin_again() noexcept { since_ = looked_at_ = base::ticks(); }
  bool lasts_longer_than(std::uint64_t us) const noexcept {
    return base::ticks() - since_ > us * base::ticks_per_us();
  }
  /// Whether to give the slot away now. Cost: a look at every slot and worker, at most once per
  /// time that a hand-over takes.
  bool costs_more_than_sleep() noexcept {
    const std::uint64_t now = base::ticks();
    if (as_ns(now - looked_at_) <= policy::cost::hand_over) return false;
    looked_at_ = now;
    return policy::gives_slot_away(as_ns(now - since_), wants_.could_use_a_slot());
  }

 private:
  static std::uint64_t as_ns(std::uint64_t ticks) noexcept {
    return ticks * 1000 / base::ticks_per_us();
  }

  const demand& wants_;
  std::uint64_t since_ = base::ticks();
  std::uint64_t looked_at_ = since_;
};

}  // namespace filch::sched
