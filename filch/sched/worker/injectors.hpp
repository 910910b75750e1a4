#pragma once
#include <filch/base/atomic.hpp>
#include <filch/queue/injector.hpp>
#include <filch/sched/detached_job.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace filch::inline v0_2::sched {

/// One injector for each priority: for jobs from outside or from an overcommit slot, and for all
/// jobs that are not of normal priority.
class injectors {
 public:
  void push(detached_job& job) noexcept { of(job.urgency).push(job); }
  /// The oldest of that priority, or null.
  detached_job* take(priority which) noexcept {
    return static_cast<detached_job*>(of(which).pop());
  }
  bool looks_empty(priority which) const noexcept { return of(which).looks_empty(); }
  bool look_empty() const noexcept {
    return std::ranges::all_of(all_,
                               [](const queue::injector<>& each) { return each.looks_empty(); });
  }

  /// How many jobs wait there. Old when it returns.
  std::size_t size_hint() const noexcept {
    std::size_t count = 0;
    for (const queue::injector<>& each : all_) count += each.size_hint();
    return count;
  }

  /// For the room `fork`: tickets of groups that wait here, or were just taken.
  /// Writers: any, by RMW.
  base::atomic<std::uint32_t> stray_tickets{0};

 private:
  queue::injector<>& of(priority which) noexcept { return all_[static_cast<std::size_t>(which)]; }
  const queue::injector<>& of(priority which) const noexcept {
    return all_[static_cast<std::size_t>(which)];
  }
  std::array<queue::injector<>, 3> all_;
};

}  // namespace filch::sched
