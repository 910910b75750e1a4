#pragma once
#include <filch/base/clock.hpp>
#include <filch/base/exceptions.hpp>
#include <filch/base/mutex.hpp>
#include <filch/sched/pool_clock.hpp>
#include <filch/topo/cpu_budget.hpp>

#include <cstdint>
#include <memory>

namespace filch::inline v0_2::sched {

/// How many slots the CPU budget of the process allows a pool, read at most once a second.
/// Threads: any.
class cpu_budget {
 public:
  /// `is_followed`: false if the user gave a number of workers.
  /// Throws: `std::bad_alloc`.
  explicit cpu_budget(bool is_followed)
      : budget_{is_followed ? std::make_unique<topo::budget_watch>() : nullptr} {}

  /// The number of slots allowed now, if that has changed; 0 if not, if it is too early to look, or
  /// if another thread does. Measures `clock`, too. Cost: about 50 us when it reads.
  unsigned review(pool_clock& clock) noexcept {
    constexpr std::uint64_t second_us = 1'000'000;
    const std::uint64_t now = base::ticks();
    if (now - reviewed_ticks_.load(base::relaxed) < second_us * base::ticks_per_us() ||
        !lock_.try_lock())
      return 0;
    reviewed_ticks_.store(now, base::relaxed);
    clock.measure(now);
    unsigned allowed = 0;
    FILCH_TRY {
      if (budget_ != nullptr && budget_->refresh()) allowed = budget_->current().workers;
    }
    FILCH_CATCH_ALL {}  // no memory to read the files with: the budget stays what it was
    lock_.unlock();
    return allowed;
  }
  /// As last read. Call only if the budget is followed, before any other thread reviews it.
  unsigned allowed() const noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis) {
    return budget_->current().workers;
  }

 private:
  base::mutex lock_;
  std::unique_ptr<topo::budget_watch> budget_ FILCH_GUARDED_BY(lock_);
  /// Writer: the reviewer. Readers: idle workers.
  base::atomic<std::uint64_t> reviewed_ticks_{0};
};

}  // namespace filch::sched
