#pragma once
#include <coroutine>

namespace filch::co {

class promise_base;

/// How many times control goes from one coroutine straight to another before the stack is unwound and others get their turn.
/// A guess; at some 500 bytes a transfer, where compilers do not tail-call, the stack holds 32 KiB of them.
inline constexpr unsigned transfer_budget = 64;

/// Resumes `first`, and what it leads to, until all of that is suspended or done. The only place that resumes coroutines: what the
/// functions below leave to do, it does once no coroutine is on the stack.
void run_here(std::coroutine_handle<> first) noexcept;

/// What `await_suspend` returns so that `next` runs: `next` itself while the budget lasts. Then `next` is resumed from the loop, or by
/// the ready queue as the job of `via` where others wait, which is the callee's promise and idle until then.
///
/// Cost:    a call and a decrement, about 1.5 ns.
/// Threads: any. In a function of its own, so that no compiler takes the thread's variables across a suspension.
std::coroutine_handle<> transfer(std::coroutine_handle<> next, promise_base& via) noexcept;

/// What is to be done with a coroutine that has just been suspended: as soon as others know of it, it may run elsewhere, and be gone.
/// Returns who is to run next here, or null.
using after_suspension = std::coroutine_handle<> (*)(void* argument) noexcept;

/// What `await_suspend` returns so that `act(argument)` is done once the coroutine has left the stack. At once where no loop runs,
/// which is so in coroutines of others that somebody resumed by hand.
std::coroutine_handle<> suspend(after_suspension act, void* argument) noexcept;

/// Who runs next here when `suspended`, whose `resumes` is itself, may go on: that one, where it belongs here and nothing else waits for this
/// worker. Else null, and it is made ready, behind those that were ready before. For `after_suspension` and `waiter::notify`.
std::coroutine_handle<> wake(promise_base& suspended) noexcept;

}  // namespace filch::co
