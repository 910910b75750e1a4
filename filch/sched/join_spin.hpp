#pragma once
#include <filch/base/clock.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sched/scheduler.hpp>

namespace filch::sched {

/// A thread with a slot waits for what others do. Threads: the one.
class join_spin {
 public:
  /// Begins now.
  explicit join_spin(const scheduler& in) noexcept : in_{in} {}
  /// The thread has got on: begins anew.
  void begin_again() noexcept { since_ = looked_at_ = base::ticks(); }
  bool lasts_longer_than(std::uint64_t us) const noexcept {
    return base::ticks() - since_ > us * base::ticks_per_us();
  }
  /// Whether it is time to give the slot away. Cost: a look at every slot and worker, each time a
  /// hand-over could have been done.
  bool costs_more_than_sleep() noexcept {
    const std::uint64_t now = base::ticks();
    if (as_ns(now - looked_at_) <= policy::cost::hand_over) return false;
    looked_at_ = now;
    return policy::gives_slot_away(as_ns(now - since_), in_.could_use_a_slot(), in_.cost_of_wake());
  }

 private:
  static std::uint64_t as_ns(std::uint64_t ticks) noexcept {
    return ticks * 1000 / base::ticks_per_us();
  }

  const scheduler& in_;
  std::uint64_t since_ = base::ticks();
  std::uint64_t looked_at_ = since_;
};

}  // namespace filch::sched
