#pragma once
#include <filch/co/timers/timed_wait.hpp>

namespace filch {

/// What `sleep_for` and `sleep_until` return.
class [[nodiscard]] sleeping : public co::timers::timed_wait<sleeping> {
 public:
  using timed_wait::timed_wait;
  static void set_out() noexcept {}
  static void result() noexcept {}
};

/// `co_await sleep_for(1ms)`, or `filch::wait(sleep_for(1ms))` in a plain function: goes on
/// `length` after this call, never earlier.
///
/// Late by as much as it takes until a worker is free: one that sleeps is woken by the clock, one
/// that works looks between jobs, and where all are in long ones another thread is; but in a pool
/// of one worker a long job keeps timers waiting.
/// Cost: some 55 ns to start and cancel a timer, besides the suspension of a coroutine; no
/// allocation, and no thread.
/// Blocks:  `filch::wait` as `filch::blocking` does.
/// Threads: any. Of coroutines of another library the pool must outlive the wait, which is
/// `filch::pool_here()`.
/// Throws: an await `co::cancelled` where the task is asked to stop, unless the time has come
/// already; `std::bad_alloc` at the first wait of a task; that of
///          a coroutine of another library outside of pools what `default_pool()` does.
template <class Rep, class Period>
sleeping sleep_for(std::chrono::duration<Rep, Period> length) noexcept {
  return sleeping{co::timers::due_in(base::at_least(length))};
}
/// The same until `when`, by `co::now`.
inline sleeping sleep_until(base::steady_time when) noexcept { return sleeping{base::ns_of(when)}; }

}  // namespace filch
