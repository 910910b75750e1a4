#pragma once
#include <filch/base/clock.hpp>
#include <filch/sched/worker_recorder.hpp>

#include <cstdint>
#include <utility>

namespace filch::inline v0_2::sched {

/// A worker as parking knows it: a slot waiter that may be in the list of parked workers.
struct sleeper : slot_waiter {
  sleeper(pool_stack& of, worker_recorder& told) noexcept
      : forks{of}, reports{told}, index{of.index} {}

  pool_stack& forks;
  worker_recorder& reports;
  const unsigned index;
  sleeper* next = nullptr;  ///< In the list of parked workers. Guarded by the parking lock.
  bool is_parked = false;   ///< In that list. Guarded by the parking lock.
  /// Another thread chose it for a wake, and it has found nothing yet. Writer: the thread that
  /// wakes it, while it is parked.
  bool was_just_woken = false;
  std::uint64_t woken_at_ticks = 0;  ///< The same, before the token. 0: it was not woken.
  /// It took a regular slot by itself, as it saw forks, a due timer or an arrival.
  bool woke_itself = false;

  void found_work() noexcept { was_just_woken = woke_itself = false; }
  /// Reports how long its wake took, if it was woken. Call when no thread can choose it for a wake
  /// any more.
  void report_waking() noexcept {
    const std::uint64_t since = std::exchange(woken_at_ticks, 0);
    if (since != 0) reports.report_waking(base::ticks() - since);
  }
};

}  // namespace filch::sched
