#include <filch/co/fork.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/co/current_loop.hpp>
#include <filch/sched/continuation.hpp>
#include <filch/sched/slow_fork.hpp>

namespace filch::co {
namespace {

std::coroutine_handle<> take(void* child) noexcept {
  promise_base& forked = *static_cast<promise_base*>(child);
  const std::coroutine_handle<> parent = forked.caller();  // the child ends later, as who runs the parent holds its frame
  forked.take_parent();
  return parent;
}

/// What a thief runs.
void run_stolen(void* environment) noexcept { run_here(take(sched::continuation::of(environment))); }

/// Asked, out of room, or watched.
[[gnu::cold, gnu::noinline]] void publish_slowly(queue::job rest, promise_base& child) noexcept {
  const sched::fork_outcome outcome = sched::fork_slowly(rest);
  if (outcome != sched::fork_outcome::forked && outcome != sched::fork_outcome::told) child.become_call();
}

/// Lets thieves take the parent of `child`, unless there is no room, or nobody may.
[[gnu::always_inline]] inline void publish(run_loop& loop, promise_base& child) noexcept {
  const queue::job rest = sched::continuation::job(&run_stolen, &child);
  queue::fork_entry* const at = loop.forks->bottom();
  child.become_fork();
  if (!loop.forks->must_pause(at)) [[likely]] {
    loop.forks->push(at, rest);
  } else {
    publish_slowly(rest, child);
  }
}

// Thieves have won all of them, but may not have read them yet: two instructions, unless the system puts one aside right there.
void forget_stolen(run_loop& loop, queue::fork_entry* youngest) noexcept {
  for (int i = 0; !loop.forks->are_let_go(loop.base, youngest); ++i) i < 100 ? base::cpu_relax() : base::yield_thread();
  loop.forks->release_all(loop.base, youngest);
}

/// Out of line, for the registers of `take_back`.
[[gnu::cold, gnu::noinline]] bool take_back_slowly(run_loop& loop, queue::fork_entry* at) noexcept {
  if (loop.forks->settle(at) == queue::pop_outcome::popped) return true;
  forget_stolen(loop, at);
  return false;
}

/// Takes back the youngest parent, which lies at `at`. False: it was stolen, and with it all older ones.
[[gnu::always_inline]] inline bool take_back(run_loop& loop, queue::fork_entry* at) noexcept {
  return loop.forks->pop_private(at) || take_back_slowly(loop, at);
}

bool is_parent_of(const promise_base& child, const queue::fork_entry* at) noexcept {
  const void* const environment = at->environment.read();
  return environment == sched::continuation::job(nullptr, const_cast<promise_base*>(&child)).environment;
}

std::coroutine_handle<> publish_and_go_on(void* child) noexcept {
  promise_base& forked = *static_cast<promise_base*>(child);
  const std::coroutine_handle<> self = forked.resumes;
  publish(*innermost, forked);
  return self;
}

}  // namespace

std::coroutine_handle<> take_parent(run_loop& loop) noexcept {
  queue::fork_entry* const at = loop.forks->bottom() - 1;
  if (!take_back(loop, at)) return nullptr;
  loop.transfers_left = transfer_budget;
  return take(sched::continuation::of(at->environment.read()));
}

std::coroutine_handle<> fork_now(std::coroutine_handle<> self, promise_base& parent, std::coroutine_handle<> child,
                                 promise_base& forked) noexcept {
  forked.begin_fork(self, parent);
  if (is_run_by_loop(self)) [[likely]] {
    run_loop& loop = *innermost;
    publish(loop, forked);
    if (loop.transfers_left > 0) [[likely]]
      return transfer_in(loop, child);
  }
  return transfer(self, child, forked);
}

std::coroutine_handle<> fork_after_suspension(std::coroutine_handle<> self, promise_base& parent, std::coroutine_handle<> child,
                                              promise_base& forked) noexcept {
  forked.begin_fork(self, parent);
  if (!is_run_by_loop(self)) return transfer(self, child, forked);
  forked.resumes = child;
  return suspend(self, &publish_and_go_on, &forked);
}

std::coroutine_handle<> return_to_parent(std::coroutine_handle<> self, promise_base& child) noexcept {
  if (is_run_by_loop(self)) [[likely]] {
    run_loop& loop = *innermost;
    queue::fork_entry* const at = loop.forks->bottom() - 1;
    if (loop.has_forks() && is_parent_of(child, at) && take_back(loop, at)) [[likely]]
      return loop.transfers_left > 0 ? transfer_in(loop, child.caller()) : transfer(self, child.caller(), child);
  }
  return suspend(self, &promise_base::end_apart, &child);
}

std::coroutine_handle<> wait_at_join(void* promise) noexcept {
  promise_base& parent = *static_cast<promise_base*>(promise);
  const std::coroutine_handle<> self = parent.resumes;
  return parent.forks().wait() ? nullptr : self;
}

}  // namespace filch::co
