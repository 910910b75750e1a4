#pragma once
#include <filch/base/atomic.hpp>
#include <filch/sched/slot.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace filch::inline v0_2::sched {

/// All timers of a pool: those of its slots. Threads: any.
class slot_timers {
 public:
  explicit slot_timers(std::vector<slot>& all) noexcept : slots_{all} {}

  /// True once a timer was started in this pool. Until then no thread looks for timers.
  // Relaxed: ordered by the idle word, as timers are
  bool are_used() const noexcept { return are_used_.load(base::relaxed); }
  void note_use() noexcept {
    if (!are_used()) are_used_.store(true, base::relaxed);
  }
  /// When the first of all is due, or `timer::never`.
  std::uint64_t first_ns() const noexcept {
    std::uint64_t first = timer::never;
    if (!are_used()) return first;
    for (const slot& each : slots_) first = (std::min)(first, each.timers.first_ns());
    return first;
  }
  /// Takes out the timer that has been due longest, or null: none is due, or another thread was
  /// faster. The caller must call its `go_on`.
  timer* take_due(std::uint64_t now_ns) noexcept {
    const auto earliest = std::ranges::min_element(
        slots_, {}, [](const slot& each) { return each.timers.first_ns(); });
    return earliest->timers.first_ns() > now_ns ? nullptr : earliest->timers.take_due(now_ns);
  }
  /// Where a thread that is `here` in the pool starts timers: with its slot, else with the first.
  timer_queue& of(const slot_waiter* here) noexcept {
    return (here != nullptr && here->has_queues() ? *here->granted : slots_.front()).timers;
  }

 private:
  std::vector<slot>& slots_;
  base::atomic<bool> are_used_{false};  ///< Writers: any, once. Readers: all.
};

}  // namespace filch::sched
