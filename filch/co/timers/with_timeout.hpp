#pragma once
#include <filch/co/cancelled.hpp>
#include <filch/co/timers/sleep.hpp>
#include <filch/co/when_any.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace filch {

/// What ended in time, or empty where the time was over first: the value, `std::monostate` for void, the address of what a reference refers to.
template <class T>
using in_time = std::optional<std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, co::brought<T>>>;

namespace co::timers {

inline task<> sleep_out(base::steady_time when) { co_await sleep_until(when); }

/// An operation as a task.
template <class Operation>
auto await_it(Operation& operation) -> task<decltype(operation.await_resume())> {
  co_return co_await operation;
}

/// What `limited` brought. Empty: it was cancelled, because the time was over. Throws: what it threw else; where it was cancelled because the
/// sleep failed, the reason of that.
template <class T>
in_time<T> take_in_time(task<T>& limited, bool is_over, const std::exception_ptr& failed_sleep) {
  const std::exception_ptr& thrown = task_access::frame_of(limited).promise().error();
  if (thrown && is_cancellation(thrown)) {
    if (failed_sleep) std::rethrow_exception(failed_sleep);
    if (is_over) return std::nullopt;
  }
  if constexpr (std::is_reference_v<T>)
    return in_time<T>{&take_result(limited)};
  else
    return in_time<T>{take_result(limited)};
}

}  // namespace co::timers

/// Runs `limited` until `when`, by `co::now`, then cancels it and awaits its end. What it brings is returned, also where it came while it was being
/// cancelled: nothing that it took is lost. Empty where it ended by `co::cancelled` because the time was over.
///
/// So a task that does not look whether it is asked to stop, or awaits a spawned one, is waited for as long as it runs. A child of its own is what is cancelled, not who awaits this; it
/// is cancelled with that one, too.
/// Cost:    two spawned tasks, a timer and a request to stop: 1.5 us on one worker; on two, who pass the tasks to each other, 9 us, 14 of processor time;
///          two frames besides its own.
/// Blocks:  never; in a plain function or on a thread, `block_on(with_timeout(...))` waits as `block_on` does.
/// Throws:  what `limited` threw; `co::cancelled` where who awaits was asked to stop; as `spawn`.
template <class T>
task<in_time<T>> with_deadline(task<T> limited, base::steady_time when) {
  task<> clock = co::timers::sleep_out(when);
  co::family both{co_await co::get_stop_token(), co::family::over_after::any_end, co::family::frames::kept};
  co::spawn_kept(both, limited);
  co::spawn_kept(both, clock);
  co_await both.join();
  const bool slept_first = co::ended_first(both, clock);
  const std::exception_ptr failed = slept_first ? co::task_access::frame_of(clock).promise().error() : nullptr;
  co_return co::timers::take_in_time(limited, slept_first && !failed, failed);
}
/// The same, until `length` after this call.
template <class T, class Rep, class Period>
task<in_time<T>> with_timeout(task<T> limited, std::chrono::duration<Rep, Period> length) {
  return with_deadline(std::move(limited), base::steady_time_at(co::timers::due_in(base::at_least(length))));
}

/// The same for what waits by suspending: `co_await with_timeout(mutex.lock(), 5ms)` gives the lock, or nothing.
/// Lifetime: refers to the operation: await it in the expression that made it, or keep the operation as long.
template <class Operation>
requires std::derived_from<std::remove_cvref_t<Operation>, co::sync::wait_node>
auto with_deadline(Operation&& limited, base::steady_time when) { return with_deadline(co::timers::await_it(limited), when); }
/// The same, until `length` after this call.
template <class Operation, class Rep, class Period>
requires std::derived_from<std::remove_cvref_t<Operation>, co::sync::wait_node>
auto with_timeout(Operation&& limited, std::chrono::duration<Rep, Period> length) {
  return with_timeout(co::timers::await_it(limited), length);
}

}  // namespace filch
