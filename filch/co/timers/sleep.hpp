#pragma once
#include <filch/co/timers/timed_wait.hpp>

namespace filch::inline v0_2 {

namespace co::timers {

/// What `sleep_for` and `sleep_until` return, to be awaited.
class [[nodiscard]] sleeping : public timed_wait<sleeping> {
 public:
  using timed_wait::timed_wait;
  static void set_out() noexcept {}
  static void result() noexcept {}
};

}  // namespace co::timers

/// `co_await sleep_for(1ms)`, or `filch::wait(sleep_for(1ms))` in a plain function: goes on
/// `length` after this call, never earlier.
///
/// Late until a worker is free. The clock wakes a sleeping worker, and a working one looks between
/// jobs. If all are in long jobs another thread takes over, but in a pool of one worker timers wait
/// for a long job.
/// Cost: some 55 ns to start and cancel a timer, besides the suspension of a coroutine; no
/// allocation, and no thread.
/// Blocks:  `filch::wait` as `filch::blocking` does.
/// Threads: any. If a coroutine of another library awaits it, `filch::pool_here()` must outlive the
/// wait.
/// Throws: an await `co::cancelled` if the task is asked to stop, unless the time has come already;
/// `std::bad_alloc` at the first wait of a task. In a coroutine of another library outside of pools
/// also what `default_pool()` throws.
/// Example: examples/task_times.cpp
template <class Rep, class Period>
co::timers::sleeping sleep_for(std::chrono::duration<Rep, Period> length) noexcept {
  return co::timers::sleeping{co::timers::due_in(base::at_least(length))};
}
/// As `sleep_for`, until `when` on the steady clock.
inline co::timers::sleeping sleep_until(base::steady_time when) noexcept {
  return co::timers::sleeping{base::ns_of(when)};
}

}  // namespace filch
