#pragma once
#include <filch/base/language.hpp>

#include <coroutine>

namespace filch::co {

class promise_base;

/// How many times control goes from one coroutine straight to another before the stack is unwound
/// and others get their turn. A guess; at some 500 bytes a transfer, where compilers do not
/// tail-call, the stack holds 32 KiB of them.
inline constexpr unsigned transfer_budget = 64;
/// How many loops may lie upon each other on a stack because coroutines were resumed by hand.
inline constexpr unsigned most_loops = 64;

/// Counts as so many transfers of the coroutine that runs here: for what takes longer than a call
/// does, as system calls. False: its turn is over, and `yield_if_exhausted` is due.
bool consume_budget(unsigned transfers) noexcept;

/// Resumes `first`, and what it leads to, until all of that is suspended or done. The only place
/// that resumes coroutines: what the functions below leave to do, it does once no coroutine is on
/// the stack.
///
/// `waited_for`: a root for which this thread waits in a plain function, or null. What that one
/// calls keeps the thread, however long the chain, as frames below may hold a lock that whoever had
/// the slot instead would want. Only a `co::yield` gives way.
[[gnu::noinline]] void run_here(std::coroutine_handle<> first,
                                const promise_base* waited_for = nullptr) noexcept;
/// The same at the bottom of a worker's stack, where no exception is on its way. Cost: a call less.
[[gnu::noinline]] void run_at_bottom(std::coroutine_handle<> first) noexcept;

/// The coroutine that this thread is in, or null; of those that were resumed by hand it knows
/// nothing. For simulations alone.
const void* running_here() noexcept;

/// What `await_suspend` of `self` returns so that `next` runs: `next` itself while the budget
/// lasts. Then `next` is resumed from the loop, or by the ready queue as the job of `via` where
/// others wait, which is the callee's promise and idle until then.
///
/// Where `self` was resumed by hand, the loop below on this stack, if any, is another coroutine's,
/// and may wait for `self`: then `next` runs in a loop of its own, and where these have come to lie
/// upon each other `most_loops` deep, by way of the ready queue.
///
/// Cost:    a call and a decrement, about 1.5 ns.
/// Threads: any. In a function of its own, so that no compiler takes the thread's variables across
/// a suspension.
[[gnu::noinline]] std::coroutine_handle<> transfer(std::coroutine_handle<> self,
                                                   std::coroutine_handle<> next,
                                                   promise_base& via) noexcept;

/// What `await_suspend` of `self` returns where its turn is over: it goes on at once if nobody
/// waits, or has parents that may be taken, else behind those who do. Without a promise of ours it
/// goes on.
std::coroutine_handle<> yield_if_exhausted(std::coroutine_handle<> self,
                                           promise_base* own) noexcept;

/// What is to be done with a coroutine that has just been suspended: as soon as others know of it,
/// it may run elsewhere, and be gone. Returns who is to run next here, or null.
using after_suspension = std::coroutine_handle<> (*)(void* argument) noexcept;

/// What `await_suspend` of `self` returns so that `act(argument)` is done once the coroutine has
/// left the stack. At once where no loop runs it: it was resumed by hand.
[[gnu::noinline]] std::coroutine_handle<> suspend(std::coroutine_handle<> self,
                                                  after_suspension act, void* argument) noexcept;

/// Who runs next here when `suspended`, whose `resumes` is itself, may go on: that one, where it
/// belongs here and nothing else waits for this worker, parents of forks included. Else null, and
/// it is made ready, behind those that were ready before. For `after_suspension` and
/// `waiter::notify`.
[[gnu::noinline]] std::coroutine_handle<> wake(promise_base& suspended) noexcept;

/// Who runs next here when `via.resumes` may go on, whoever waits for this worker: that one, or
/// null where it belongs to another pool. Then it is made ready there.
std::coroutine_handle<> resume_at(promise_base& via) noexcept;

}  // namespace filch::co
