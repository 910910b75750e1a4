#include <filch/co/run_loop.hpp>

#include <filch/co/current_loop.hpp>
#include <filch/co/promise.hpp>
#include <filch/sched/worker/worker.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace filch::inline v0_2::co {

namespace {

// A coroutine that has forked keeps its worker until the join, as a plain function does: to queue a
// child and resume its parent would unfold a whole tree.
std::coroutine_handle<> refill_loop(void* via) noexcept {
  promise_base& next = *static_cast<promise_base*>(via);
  if (innermost.depth == 0 || !innermost.has_forks()) return wake(next);
  innermost.transfers_left = transfer_budget;
  return next.resumes;
}

std::coroutine_handle<> go_on_here(void* via) noexcept {
  innermost.transfers_left = transfer_budget;
  return static_cast<promise_base*>(via)->resumes;
}

/// `transfer` of a coroutine that was resumed by hand: `next` runs above it, or through the queue.
/// It never waits for a coroutine below on this stack to end.
[[gnu::noinline]] std::coroutine_handle<> transfer_beside(std::coroutine_handle<> next,
                                                          promise_base& via) noexcept {
  const bool can_queue = via.root() != nullptr || !sched::is_outside();
  if (innermost.depth < most_loops || !can_queue) {
    run_here(next);
  } else {
    via.resumes = next;
    via.make_ready();
  }
  return std::noop_coroutine();
}

/// Whether a coroutine may run on this thread. Tasks without a root, which another library's
/// coroutine called, run where they are resumed.
bool belongs_here(const promise_base& job) noexcept {
  const promise_base* const root = job.root();
  return root == nullptr ||
         (!sched::is_outside() && &sched::current_worker().core == &root->pool());
}

/// Runs the innermost loop, which has just begun, to its end.
[[gnu::always_inline]] inline void run_loop_from(std::coroutine_handle<> first,
                                                 const promise_base* waited_for) noexcept {
  loop_frame here{*sched::current_stack, sched::current_stack->bottom(), waited_for};
  innermost.transfers_left = transfer_budget;
  innermost.frame = &here;
  std::coroutine_handle<> next = first;
  do {
    innermost.goes_on_with(next);
    next.resume();
    base::task_left(innermost.runs);
    innermost.runs = nullptr;
    next = here.next();
  } while (next);
}

/// Apart from `run_here`, so that that saves no registers.
[[gnu::noinline]] void run_upon_another_loop(std::coroutine_handle<> first,
                                             const promise_base* waited_for) noexcept {
  const run_loop below = innermost;
  innermost = run_loop{.depth = below.depth + 1};
  run_loop_from(first, waited_for);
  innermost = below;
}

[[gnu::always_inline]] inline void run_new_loop(std::coroutine_handle<> first,
                                                const promise_base* waited_for) noexcept {
  if (innermost.depth > 0) [[unlikely]]
    return run_upon_another_loop(first, waited_for);
  innermost.depth = 1;
  run_loop_from(first, waited_for);
  innermost.depth = 0;
  innermost.frame = nullptr;
}

}  // namespace

void run_here(std::coroutine_handle<> first, const promise_base* waited_for) noexcept {
  const int below = std::exchange(sched::exceptions_below, std::uncaught_exceptions());
  run_new_loop(first, waited_for);
  sched::exceptions_below = below;
}

void run_at_bottom(std::coroutine_handle<> first) noexcept { run_new_loop(first, nullptr); }

bool consume_budget(unsigned transfers) noexcept {
  innermost.transfers_left -= std::min(transfers, innermost.transfers_left);
  return innermost.transfers_left != 0;
}

std::coroutine_handle<> yield_if_exhausted(std::coroutine_handle<> self,
                                           promise_base* own) noexcept {
  return own == nullptr ? self : transfer_by_the_loop(self, self, *own);
}

#if defined(FILCH_TESTING)
const void* running_here() noexcept { return innermost.runs; }
#endif

std::coroutine_handle<> suspend(std::coroutine_handle<> self, after_suspension act,
                                void* argument) noexcept {
  if (!is_run_by_loop(self)) [[unlikely]] {
    if (const std::coroutine_handle<> next = act(argument)) run_here(next);
  } else {
    innermost.frame->act = act;
    innermost.frame->argument = argument;
  }
  return std::noop_coroutine();
}

std::coroutine_handle<> wake(promise_base& suspended) noexcept {
  const bool gives_way = !sched::is_outside() && sched::current_worker().somebody_waits();
  // A yield lets the coroutine's parents go first, too. And no coroutine is resumed above the
  // parents of another one.
  const bool has_parents = innermost.depth > 0 && innermost.has_forks();
  if (gives_way || has_parents || !belongs_here(suspended)) {
    suspended.make_ready();
    return nullptr;
  }
  innermost.transfers_left = transfer_budget;
  return suspended.resumes;
}

std::coroutine_handle<> resume_at(promise_base& via) noexcept {
  if (belongs_here(via)) return via.resumes;
  via.make_ready();
  return nullptr;
}

std::coroutine_handle<> transfer_by_the_loop(std::coroutine_handle<> self,
                                             std::coroutine_handle<> next,
                                             promise_base& via) noexcept {
  via.resumes = next;
  const bool is_yield = next == self;
  const promise_base* const waited_for =
      innermost.frame == nullptr ? nullptr : innermost.frame->waited_for;
  const bool keeps_thread = !is_yield && waited_for != nullptr && via.root() == waited_for;
  return suspend(self, keeps_thread ? go_on_here : refill_loop, &via);
}

std::coroutine_handle<> transfer(std::coroutine_handle<> self, std::coroutine_handle<> next,
                                 promise_base& via) noexcept {
  if (!is_run_by_loop(self)) [[unlikely]]
    return transfer_beside(next, via);
  return transfer_in_loop(self, next, via);
}

}  // namespace filch::co
