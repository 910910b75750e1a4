#include <filch/co/fork.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/co/current_loop.hpp>
#include <filch/co/thread_waiter.hpp>
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

/// Lets thieves take the parent of `child`. False: there is no room, or nobody may.
bool publish(run_loop& loop, promise_base& child) noexcept {
  const queue::job rest = sched::continuation::job(&run_stolen, &child);
  queue::fork_entry* const at = loop.forks->bottom();
  child.become_fork();
  if (!loop.forks->must_pause(at)) [[likely]] {
    loop.forks->push(at, rest);
    return true;
  }
  switch (sched::fork_slowly(rest)) {
    case sched::fork_outcome::forked:
    case sched::fork_outcome::told: return true;
    default: child.become_call(); return false;
  }
}

// Thieves have won all of them, but may not have read them yet: two instructions, unless the system puts one aside right there.
void forget_stolen(run_loop& loop, queue::fork_entry* youngest) noexcept {
  for (queue::fork_entry* each = loop.base; each <= youngest; ++each) {
    for (int i = 0; !each->is_done(); ++i) i < 100 ? base::cpu_relax() : base::yield_thread();
  }
  loop.forks->release_all(loop.base, youngest);
}

/// Takes back the youngest parent, which lies at `at`. False: it was stolen, and with it all older ones.
bool take_back(run_loop& loop, queue::fork_entry* at) noexcept {
  if (loop.forks->pop_private(at)) [[likely]]
    return true;
  if (loop.forks->settle(at) == queue::pop_outcome::popped) return true;
  forget_stolen(loop, at);
  return false;
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
  if (is_run_by_loop(self)) [[likely]]
    publish(*innermost, forked);
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
      return transfer(self, child.caller(), child);
  }
  return suspend(self, &promise_base::end_apart, &child);
}

std::coroutine_handle<> wait_at_join(void* promise) noexcept {
  promise_base& parent = *static_cast<promise_base*>(promise);
  const std::coroutine_handle<> self = parent.resumes;
  return parent.forks().wait() ? nullptr : self;
}

void wait_for_end(promise_base& child) noexcept {
  if (child.done().is_finished()) return;
  thread_waiter me;
  if (child.done().leave(me)) me.sleep();
}

}  // namespace filch::co
