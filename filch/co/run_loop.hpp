#pragma once
#include <filch/base/language.hpp>

#include <coroutine>

namespace filch::inline v0_2::co {

class promise_base;

/// How many transfers happen before the stack is unwound and other jobs run. A guess. If the
/// compiler does not tail-call, a transfer takes some 500 bytes, so the stack holds 32 KiB of them.
inline constexpr unsigned transfer_budget = 64;
/// How many loops may nest on a stack because coroutines were resumed by hand.
inline constexpr unsigned most_loops = 64;

/// Counts `transfers` against the budget of the running coroutine, for work that takes longer than
/// a call, such as a system call. False: its time slice is over, and `yield_if_exhausted` is due.
FILCH_EXPORT bool consume_budget(unsigned transfers) noexcept;

/// Resumes `first`, and what it leads to, until all of that is suspended or done. The only place
/// that resumes coroutines: it does what the functions below leave to do, once no coroutine is on
/// the stack.
///
/// `waited_for`: a root for which this thread waits in a plain function, or null. What that root
/// calls keeps the thread, however long the chain: frames below may hold a lock that another thread
/// in this slot would want. Only a `co::yield` gives way.
FILCH_EXPORT [[gnu::noinline]] void run_here(std::coroutine_handle<> first,
                                             const promise_base* waited_for = nullptr) noexcept;
/// The same at the bottom of a worker's stack, where no exception is in flight. Cost: a call less.
[[gnu::noinline]] void run_at_bottom(std::coroutine_handle<> first) noexcept;

/// The coroutine that this thread runs, or null. Coroutines that were resumed by hand are unknown.
/// For simulations only.
const void* running_here() noexcept;

/// For `await_suspend` of `self`: returns the coroutine to run, so that `next` runs. That is `next`
/// itself while the budget lasts. After that the loop resumes `next`, or queues it as the job `via`
/// if other jobs wait. `via` is the promise of the callee, which is idle until then.
///
/// If `self` was resumed by hand, the loop below on this stack, if any, is another coroutine's,
/// which may wait for `self`. Then `next` runs in a loop of its own, or through the ready queue if
/// `most_loops` are nested already.
///
/// Cost:    a call and a decrement, about 1.5 ns.
/// Threads: any. A function of its own, so that no compiler keeps addresses of thread-local
///          variables across a suspension.
FILCH_EXPORT [[gnu::noinline]] std::coroutine_handle<> transfer(std::coroutine_handle<> self,
                                                                std::coroutine_handle<> next,
                                                                promise_base& via) noexcept;

/// For `await_suspend` of `self` when its time slice is over. It resumes at once if no job waits
/// for the worker, if it has parents that may be taken, or if it is not one of ours. Otherwise it
/// resumes behind the waiting jobs.
FILCH_EXPORT std::coroutine_handle<> yield_if_exhausted(std::coroutine_handle<> self,
                                                        promise_base* own) noexcept;

/// What to do with a coroutine that has just been suspended. Once other threads know of it, it may
/// run elsewhere and be gone. Returns the coroutine to run next on this thread, or null.
using after_suspension = std::coroutine_handle<> (*)(void* argument) noexcept;

/// For `await_suspend` of `self`: has `act(argument)` done once the coroutine has left the stack.
/// If it was resumed by hand, no loop runs it, and `act` is done at once.
FILCH_EXPORT [[gnu::noinline]] std::coroutine_handle<> suspend(std::coroutine_handle<> self,
                                                               after_suspension act,
                                                               void* argument) noexcept;

/// Resumes `suspended`, whose `resumes` is itself: returns the coroutine to run next on this
/// thread. That is `suspended` if it belongs here and nothing else waits for this worker, parents
/// of forks included. Otherwise it goes to the end of the ready queue, and the result is null. For
/// `after_suspension` and `waiter::notify`.
FILCH_EXPORT [[gnu::noinline]] std::coroutine_handle<> wake(promise_base& suspended) noexcept;

/// The same for `via.resumes`, whatever waits for this worker. If it belongs to another pool, it is
/// made ready there, and the result is null.
std::coroutine_handle<> resume_at(promise_base& via) noexcept;

}  // namespace filch::co
