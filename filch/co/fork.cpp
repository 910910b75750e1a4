#include <filch/co/fork.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/co/current_loop.hpp>
#include <filch/sched/worker/continuation.hpp>
#include <filch/sched/worker/slow_fork.hpp>
#include <filch/sched/worker/worker.hpp>

namespace filch::inline v0_2::co {
namespace {

std::coroutine_handle<> take(void* child) noexcept {
  promise_base& forked = *static_cast<promise_base*>(child);
  // The child's frame is there: the parent holds it
  const std::coroutine_handle<> parent = forked.caller();
  forked.take_parent();
  return parent;
}

/// The job of a thief.
void run_stolen(void* environment) noexcept {
  run_here(take(sched::continuation::of(environment)));
}

queue::job rest_of_parent(promise_base& child) noexcept {
  return sched::continuation::job(&run_stolen, &child);
}

/// Lets thieves take the parent of `child`. False: a request stands, there is no room, or the
/// thread is watched.
[[gnu::always_inline]] inline bool publish(promise_base& child) noexcept {
  queue::fork_stack& forks = innermost.frame->forks;
  queue::fork_entry* const at = forks.bottom();
  if (forks.must_pause(at)) [[unlikely]]
    return false;
  child.become_fork();
  forks.push(at, rest_of_parent(child));
  return true;
}

/// Publishes what `publish` refused, unless there is no room or the thread is watched.
[[gnu::cold, gnu::noinline]] void publish_slowly(promise_base& child) noexcept {
  child.become_fork();
  const sched::fork_outcome outcome = sched::fork_slowly(rest_of_parent(child));
  if (outcome != sched::fork_outcome::forked) child.become_call();
}

// Thieves have won all these entries, but may not have read them yet: two instructions, unless the
// system preempts a thief there.
void forget_stolen(queue::fork_entry* youngest) noexcept {
  const loop_frame& loop = *innermost.frame;
  for (int i = 0; !loop.forks.are_let_go(loop.base, youngest); ++i)
    i < 100 ? base::cpu_relax() : base::yield_thread();
  loop.forks.release_all(loop.base, youngest);
}

/// The worker that runs this loop: it has forks, so it is one. Not `current_worker()`: in the child
/// of fork() the thread is no worker any more.
sched::worker& owner() noexcept { return static_cast<sched::worker&>(innermost.frame->forks); }

/// Takes back the youngest parent, at `at`, which may be public. False: it and all older ones were
/// stolen.
bool take_back_slowly(queue::fork_entry* at) noexcept {
  if (innermost.frame->forks.is_private(at) || owner().take_back(at) == queue::pop_outcome::popped)
    return true;
  forget_stolen(at);
  return false;
}

bool is_parent_of(const promise_base& child, const queue::fork_entry* at) noexcept {
  const void* const environment = at->environment.read();
  return environment ==
         sched::continuation::job(nullptr, const_cast<promise_base*>(&child)).environment;
}

std::coroutine_handle<> publish_and_go_on(void* child) noexcept {
  promise_base& forked = *static_cast<promise_base*>(child);
  const std::coroutine_handle<> self = forked.resumes;
  if (!publish(forked)) publish_slowly(forked);
  return self;
}

// These two end with a call, so that the fast paths save no registers.
[[gnu::cold, gnu::noinline]] std::coroutine_handle<> fork_slowly(std::coroutine_handle<> self,
                                                                 std::coroutine_handle<> child,
                                                                 promise_base& forked) noexcept {
  publish_slowly(forked);
  return transfer_in_loop(self, child, forked);
}

[[gnu::cold, gnu::noinline]] std::coroutine_handle<> return_slowly(std::coroutine_handle<> self,
                                                                   promise_base& child,
                                                                   queue::fork_entry* at) noexcept {
  if (take_back_slowly(at)) return transfer_in_loop(self, child.caller(), child);
  return suspend(self, &promise_base::end_apart, &child);
}

}  // namespace

std::coroutine_handle<> take_parent() noexcept {
  queue::fork_entry* const at = innermost.frame->forks.bottom() - 1;
  if (!innermost.frame->forks.pop_private(at) && !take_back_slowly(at)) return nullptr;
  innermost.transfers_left = transfer_budget;
  return take(sched::continuation::of(at->environment.read()));
}

std::coroutine_handle<> detail::fork_now(std::coroutine_handle<> self, promise_base& parent,
                                         std::coroutine_handle<> child,
                                         promise_base& forked) noexcept {
  forked.begin_fork(self, parent);
  if (!is_run_by_loop(self)) [[unlikely]]
    return transfer(self, child, forked);
  if (!publish(forked)) [[unlikely]]
    return fork_slowly(self, child, forked);
  return transfer_in_loop(self, child, forked);
}

std::coroutine_handle<> detail::fork_after_suspension(std::coroutine_handle<> self,
                                                      promise_base& parent,
                                                      std::coroutine_handle<> child,
                                                      promise_base& forked) noexcept {
  forked.begin_fork(self, parent);
  if (!is_run_by_loop(self)) return transfer(self, child, forked);
  forked.resumes = child;
  return suspend(self, &publish_and_go_on, &forked);
}

std::coroutine_handle<> return_to_parent(std::coroutine_handle<> self,
                                         promise_base& child) noexcept {
  if (is_run_by_loop(self) && innermost.has_forks()) [[likely]] {
    queue::fork_stack& forks = innermost.frame->forks;
    queue::fork_entry* const at = forks.bottom() - 1;
    if (is_parent_of(child, at)) [[likely]] {
      if (!forks.pop_private(at)) [[unlikely]]
        return return_slowly(self, child, at);
      return transfer_in_loop(self, child.caller(), child);
    }
  }
  return suspend(self, &promise_base::end_apart, &child);
}

std::coroutine_handle<> detail::wait_at_join(void* promise) noexcept {
  promise_base& parent = *static_cast<promise_base*>(promise);
  const std::coroutine_handle<> self = parent.resumes;
  return parent.forks().wait() ? nullptr : self;
}

}  // namespace filch::co
