#include <filch/co/run_loop.hpp>

#include <filch/co/promise.hpp>
#include <filch/sched/worker.hpp>

#include <utility>

namespace filch::co {
namespace {

/// One `run_here` on the stack of its thread.
struct run_loop {
  unsigned depth = 1;
  unsigned transfers_left = transfer_budget;
  void* runs = nullptr;  ///< The coroutine right above it. Not what that one resumes by hand, of which nobody tells us.
  after_suspension act = nullptr;
  void* argument = nullptr;

  /// Does what was left to do. Returns who goes on, or null.
  std::coroutine_handle<> finish_suspension() noexcept {
    const after_suspension now = std::exchange(act, nullptr);
    return now == nullptr ? nullptr : now(argument);
  }
};

FILCH_TLS_INITIAL_EXEC constinit thread_local run_loop* innermost = nullptr;

std::coroutine_handle<> refill(void* via) noexcept { return wake(*static_cast<promise_base*>(via)); }

bool is_run_by_loop(std::coroutine_handle<> self) noexcept { return innermost != nullptr && innermost->runs == self.address(); }

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
  for (std::coroutine_handle<> next = first; next; next = mine.finish_suspension()) {
    mine.runs = next.address();
    next.resume();
    mine.runs = nullptr;
  }
  innermost = outer;
}

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
  if (gives_way || !belongs_here(suspended)) {
    suspended.make_ready();
    return nullptr;
  }
  if (innermost != nullptr) innermost->transfers_left = transfer_budget;
  return suspended.resumes;
}

std::coroutine_handle<> transfer(std::coroutine_handle<> self, std::coroutine_handle<> next, promise_base& via) noexcept {
  if (!is_run_by_loop(self)) [[unlikely]] {
    run_beside(next, via);
    return std::noop_coroutine();
  }
  if (innermost->transfers_left > 0) [[likely]] {
    --innermost->transfers_left;
    innermost->runs = next.address();
    return next;
  }
  via.resumes = next;
  return suspend(self, refill, &via);
}

}  // namespace filch::co
