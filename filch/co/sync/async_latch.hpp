#pragma once
#include <filch/base/panic.hpp>
#include <filch/co/edges.hpp>
#include <filch/co/sync/async_event.hpp>

#include <cstddef>

namespace filch::inline v0_2 {

/// Counts down to zero once. `co_await l.wait()`, or `filch::wait(l.wait())`: until it is zero.
///
/// Cost: `count_down` a locked instruction; the last one and the waits as `async_event`, which also
/// says what they throw.
/// Threads: any. What was done before each `count_down` is seen after the wait.
/// Lifetime: may be destroyed as soon as every wait has returned, `arrive_and_wait` included, also
/// while `count_down` has yet to return.
class async_latch {
 public:
  explicit async_latch(std::size_t from) noexcept : left_{from} {
    if (from == 0) zero_.set();
  }
  /// By so many, at most as many as are left.
  void count_down(std::size_t by = 1) noexcept {
    const std::size_t before = left_.fetch_sub(by, base::acq_rel<co::edge::last_one>);
    FILCH_ASSERT(before >= by, "a latch is not counted down below zero", before, by);
    if (before == by && by > 0) zero_.set();
  }
  /// Waits until it is zero.
  async_event::waiting wait() noexcept { return zero_.wait(); }
  bool is_zero() const noexcept { return zero_.is_set(); }
  /// Counts down by one, then waits for the rest. It counts when it is called, even if a `select`
  /// then chooses another operation.
  async_event::waiting arrive_and_wait() noexcept {
    count_down();
    return wait();
  }

 private:
  base::atomic<std::size_t> left_;  ///< Writers: `count_down`. Only by RMW.
  async_event zero_;
};

}  // namespace filch
