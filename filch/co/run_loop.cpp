#include <filch/co/run_loop.hpp>

#include <filch/co/current_loop.hpp>
#include <filch/co/promise.hpp>
#include <filch/sched/worker.hpp>

#include <utility>

namespace filch::co {

constinit thread_local run_loop* innermost = nullptr;

namespace {

// Whoever has forked keeps its worker until that is joined, as a plain function does: to queue a child and to go on with its parent would
// unfold a whole tree.
std::coroutine_handle<> refill(void* via) noexcept {
  promise_base& next = *static_cast<promise_base*>(via);
  if (innermost == nullptr || !innermost->has_forks()) return wake(next);
  innermost->transfers_left = transfer_budget;
  return next.resumes;
}

/// For who was resumed by hand: `next` runs above it, or later, but never after whoever lies below on this stack.
void run_beside(std::coroutine_handle<> next, promise_base& via) noexcept {
  const bool can_queue = via.root() != nullptr || !sched::is_outside();
  if (innermost == nullptr || innermost->depth < most_loops || !can_queue) return run_here(next);
  via.resumes = next;
  via.make_ready();
}

/// Whether a coroutine may run on this thread: those of other libraries' making run where they are resumed.
bool belongs_here(const promise_base& job) noexcept {
  const promise_base* const root = job.root();
  return root == nullptr || (!sched::is_outside() && &sched::current_worker().core == &root->pool());
}

}  // namespace

void run_here(std::coroutine_handle<> first) noexcept {
  run_loop mine;
  run_loop* const outer = std::exchange(innermost, &mine);
  if (outer != nullptr) mine.depth = outer->depth + 1;
  for (std::coroutine_handle<> next = first; next; next = mine.next()) {
    mine.goes_on_with(next);
    next.resume();
    base::task_left(mine.runs);
    mine.runs = nullptr;
  }
  innermost = outer;
}

#if defined(FILCH_TESTING)
const void* running_here() noexcept { return innermost == nullptr ? nullptr : innermost->runs; }
#endif

std::coroutine_handle<> suspend(std::coroutine_handle<> self, after_suspension act, void* argument) noexcept {
  if (!is_run_by_loop(self)) [[unlikely]] {
    if (const std::coroutine_handle<> next = act(argument)) run_here(next);
  } else {
    innermost->act = act;
    innermost->argument = argument;
  }
  return std::noop_coroutine();
}

std::coroutine_handle<> wake(promise_base& suspended) noexcept {
  const bool gives_way = !sched::is_outside() && sched::current_worker().somebody_waits();
  // Who yields lets its parents go first, too, and nobody is resumed upon those of another.
  const bool has_parents = innermost != nullptr && innermost->has_forks();
  if (gives_way || has_parents || !belongs_here(suspended)) {
    suspended.make_ready();
    return nullptr;
  }
  if (innermost != nullptr) innermost->transfers_left = transfer_budget;
  return suspended.resumes;
}

std::coroutine_handle<> resume_at(promise_base& via) noexcept {
  if (belongs_here(via)) return via.resumes;
  via.make_ready();
  return nullptr;
}

std::coroutine_handle<> transfer(std::coroutine_handle<> self, std::coroutine_handle<> next, promise_base& via) noexcept {
  if (!is_run_by_loop(self)) [[unlikely]] {
    run_beside(next, via);
    return std::noop_coroutine();
  }
  if (innermost->transfers_left > 0) [[likely]]
    return transfer_in(*innermost, next);
  via.resumes = next;
  return suspend(self, refill, &via);
}

}  // namespace filch::co
