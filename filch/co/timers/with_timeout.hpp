#pragma once
#include <filch/co/cancelled.hpp>
#include <filch/co/timers/sleep.hpp>
#include <filch/co/when_any.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2 {

/// The result of a task that ended in time: the value, `std::monostate` for void, the address for a
/// reference. Empty if the time was over first.
template <class T>
using timeout_result = std::optional<
    std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, co::detail::brought<T>>>;
/// As it was called in 0.1.
template <class T>
using in_time [[deprecated("use timeout_result")]] = timeout_result<T>;

namespace co::timers {

inline task<> sleep_out(base::steady_time when) { co_await sleep_until(when); }

/// An operation as a task.
template <class Operation>
auto await_it(Operation& operation) -> task<decltype(operation.await_resume())> {
  co_return co_await operation;
}

/// Cancels `all` at `when` even while the only worker of its pool computes: the timer of a sleeping
/// task would wait for that worker.
class cancelling_in_time {
 public:
  FILCH_EXPORT cancelling_in_time(detail::task_set& all, base::steady_time when);
  FILCH_EXPORT ~cancelling_in_time();
  cancelling_in_time(const cancelling_in_time&) = delete;
  cancelling_in_time& operator=(const cancelling_in_time&) = delete;

 private:
  struct call;
  call* call_ = nullptr;  ///< Null: a timer does it.
};

/// How a limited task has ended.
struct ending {
  bool is_over = false;             ///< The time was over first.
  bool keeps_late = false;          ///< A later result is given, too.
  std::exception_ptr failed_sleep;  ///< Why the task was cancelled before that.
};

/// The result of `limited`. Empty: the time was over first. Throws: what it threw, unless it was
/// cancelled because the time was over; if it was cancelled because the sleep failed, what the
/// sleep threw.
template <class T>
timeout_result<T> take_in_time(task<T>& limited, const ending& how) {
  const std::exception_ptr& thrown = detail::task_access::frame_of(limited).promise().error();
  if (thrown && is_cancellation(thrown, how.is_over)) {
    if (how.failed_sleep) std::rethrow_exception(how.failed_sleep);
    if (how.is_over) return std::nullopt;
  }
  if (!thrown && how.is_over && !how.keeps_late) return std::nullopt;
  if constexpr (std::is_reference_v<T>)
    return timeout_result<T>{&detail::take_result(limited)};
  else
    return timeout_result<T>{detail::take_result(limited)};
}

template <class T>
task<timeout_result<T>> run_until(task<T> limited, base::steady_time when, bool keeps_late) {
  task<> clock = sleep_out(when);
  detail::task_set both{co_await get_stop_token(), detail::task_set::over_after::any_end,
                        detail::task_set::frames::kept};
  const cancelling_in_time watched{both, when};
  detail::spawn_kept(both, clock);  // first: if the pool refuses `limited`, that has taken nothing
  detail::spawn_kept(both, limited);
  co_await both.join();
  ending how;
  how.keeps_late = keeps_late;
  // By the clock, and not by what ended first: if all workers compute, the timer may expire after
  // the end of a task that took too long. Also a sleep that was cancelled at `when` ends first.
  how.is_over = both.first_end_ns() >= base::ns_of(when);
  if (!how.is_over && detail::ended_first(both, clock))
    how.failed_sleep = detail::task_access::frame_of(clock).promise().error();
  co_return take_in_time(limited, how);
}

}  // namespace co::timers

/// `with_timeout(task, 5ms, keep_late)` gives what the task returns after the time, too.
struct keep_late_t {};
inline constexpr keep_late_t keep_late;

/// Runs `limited` until `when` on the steady clock, then cancels it and awaits its end. Gives what
/// it returned, or an empty optional if the time was over first: then a later result is dropped.
/// With `keep_late` a later result is given, too: the optional is empty only if the task ended by
/// `co::cancelled`.
///
/// A task that computes is asked to stop in time on any number of workers: a loop that has
/// `with(co_await co::get_stop_token())` ends within a leaf. A task that does not look whether it
/// is asked to stop, or that awaits a spawned one, is awaited as long as it runs. The deadline
/// cancels `limited`, not the task that awaits this one; if that one is cancelled, so is `limited`.
/// Cost: two spawned tasks, two frames besides its own, a timer and a request to stop. 1.5 us on
/// one worker; 9 us on two, 14 of processor time, as they pass the tasks to each other.
/// Blocks: never; in a plain function or on a thread, `block_on(with_timeout(...))` waits as
/// `block_on` does.
/// Throws:  what `limited` threw; `co::cancelled` if the awaiting task was asked to stop; as
/// `spawn`.
/// Example: examples/task_times.cpp
template <class T>
task<timeout_result<T>> with_deadline(task<T> limited, base::steady_time when) {
  return co::timers::run_until(std::move(limited), when, false);
}
template <class T>
task<timeout_result<T>> with_deadline(task<T> limited, base::steady_time when, keep_late_t) {
  return co::timers::run_until(std::move(limited), when, true);
}
/// Runs `limited` for at most `length` from this call on, then cancels it and awaits its end. All
/// else is as with `with_deadline`.
template <class T, class Rep, class Period>
task<timeout_result<T>> with_timeout(task<T> limited, std::chrono::duration<Rep, Period> length) {
  return with_deadline(std::move(limited),
                       base::steady_time_at(co::timers::due_in(base::at_least(length))));
}
template <class T, class Rep, class Period>
task<timeout_result<T>> with_timeout(task<T> limited, std::chrono::duration<Rep, Period> length,
                                     keep_late_t) {
  return with_deadline(std::move(limited),
                       base::steady_time_at(co::timers::due_in(base::at_least(length))), keep_late);
}

namespace co::timers {

/// An operation that has taken a value from its caller, and gives it back.
template <class Operation>
concept gives_back = requires(Operation& of) {
  of.too_late();
};

template <gives_back Operation>
auto await_in_time(Operation& limited, base::steady_time when)
    -> task<decltype(limited.too_late())> {
  auto ended = co_await filch::with_deadline(await_it(limited), when, keep_late);
  co_return ended ? std::move(*ended) : limited.too_late();
}

}  // namespace co::timers

/// The same for an operation of a primitive: `co_await with_timeout(mutex.lock(), 5ms)` gives the
/// lock, or nothing. Such a wait ends at once when it is cancelled; if it took the lock just
/// before, it gives that. A send gives a `send_outcome`, with the value if it was not sent in time.
/// Lifetime: refers to the operation: await it in the expression that made it, or keep the
/// operation as long.
template <class Operation>
requires std::derived_from<std::remove_cvref_t<Operation>, co::sync::wait_node>
auto with_deadline(Operation&& limited, base::steady_time when) {
  if constexpr (co::timers::gives_back<std::remove_cvref_t<Operation>>)
    return co::timers::await_in_time(limited, when);
  else
    return with_deadline(co::timers::await_it(limited), when, keep_late);
}
/// As `with_deadline`, until `length` after this call.
template <class Operation, class Rep, class Period>
requires std::derived_from<std::remove_cvref_t<Operation>, co::sync::wait_node>
auto with_timeout(Operation&& limited, std::chrono::duration<Rep, Period> length) {
  return with_deadline(limited, base::steady_time_at(co::timers::due_in(base::at_least(length))));
}

namespace co::timers {

/// An operation that converts to a task, as one of Asio's does with `io::awaiting`.
template <class Operation>
concept becomes_task = std::convertible_to<Operation&&, task<typename Operation::result>>;

}  // namespace co::timers

/// The same for an operation of Asio's: `co_await with_timeout(socket.async_read_some(buffer,
/// io::awaiting{io}), 1s)`. It is cancelled when the time is over, and awaited; if it succeeded
/// just before, its result is given.
template <co::timers::becomes_task Operation>
auto with_deadline(Operation limited, base::steady_time when) {
  return with_deadline(task<typename Operation::result>(std::move(limited)), when, keep_late);
}
template <co::timers::becomes_task Operation, class Rep, class Period>
auto with_timeout(Operation limited, std::chrono::duration<Rep, Period> length) {
  return with_deadline(std::move(limited),
                       base::steady_time_at(co::timers::due_in(base::at_least(length))));
}

}  // namespace filch
