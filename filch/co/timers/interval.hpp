#pragma once
#include <filch/co/timers/timed_wait.hpp>

#include <cstdint>

namespace filch::inline v0_2::co::timers {

/// Throws: `std::invalid_argument`.
FILCH_EXPORT [[noreturn]] void refuse_period();

}  // namespace filch::co::timers

namespace filch::inline v0_2 {

/// A tick of an `interval`: when it was due, and how many later ticks were left out because they
/// were due before it was taken.
struct tick {
  base::steady_time due;  ///< Never later than when it was taken.
  std::uint64_t missed;   ///< 0: the caller kept pace.
};

/// `for (interval beat{1ms};;) { co_await beat.next(); ... }`: ticks at begin + k periods, the
/// first one period after it was made, never early.
///
/// Late: a caller that comes after the time of a tick gets that tick at once. Further ticks that
/// are due by then are left out, and `tick::missed` says how many. So the next one lies on the same
/// grid, there is no burst, and lateness does not add up.
/// Threads: one waits at a time. `co_await beat.next()` or `filch::wait(beat.next())`; cost and
/// rest as `sleep_for`. A wait that throws has taken no tick.
/// Throws:  the constructor `std::invalid_argument` for a period that is not longer than zero.
/// Example: examples/task_times.cpp
class interval {
 public:
  class [[nodiscard]] next_tick : public co::timers::timed_wait<next_tick> {
   public:
    explicit next_tick(interval& of) noexcept : timed_wait{of.due_ns_}, of_{of} {}
    void set_out() noexcept { due_ns = of_.due_ns_; }  // of what is the next tick now
    tick result() noexcept { return of_.take(); }

   private:
    interval& of_;
  };

  template <class Rep, class Period>
  explicit interval(std::chrono::duration<Rep, Period> period)
      : period_ns_{static_cast<std::uint64_t>(base::at_least(period).count())} {
    if (period_ns_ == 0) co::timers::refuse_period();
    due_ns_ = co::timers::due_in(base::at_least(period));
  }

  /// Waits for the next tick. Lifetime: this outlives the wait.
  next_tick next() noexcept { return next_tick{*this}; }

 private:
  tick take() noexcept {
    const std::uint64_t missed = (base::now_ns() - due_ns_) / period_ns_;
    const tick taken{base::steady_time_at(due_ns_), missed};
    due_ns_ += (missed + 1) * period_ns_;
    return taken;
  }

  std::uint64_t period_ns_;
  std::uint64_t due_ns_ = 0;  ///< Of the next tick.
};

}  // namespace filch
