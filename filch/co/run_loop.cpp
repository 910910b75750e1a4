#include <filch/co/run_loop.hpp>

#include <filch/co/promise.hpp>
#include <filch/sched/worker.hpp>

#include <utility>

namespace filch::co {
namespace {

/// One `run_here` on the stack of its thread.
struct run_loop {
  unsigned transfers_left = transfer_budget;
  after_suspension act = nullptr;
  void* argument = nullptr;

  /// Does what was left to do. Returns who goes on, or null.
  std::coroutine_handle<> finish_suspension() noexcept {
    const after_suspension now = std::exchange(act, nullptr);
    return now == nullptr ? nullptr : now(argument);
  }
};

FILCH_TLS_INITIAL_EXEC constinit thread_local run_loop* innermost = nullptr;

std::coroutine_handle<> refill(void* via) noexcept {
  promise_base& job = *static_cast<promise_base*>(via);
  if (!sched::is_outside() && sched::current_worker().somebody_waits()) {
    job.make_ready();
    return nullptr;
  }
  innermost->transfers_left = transfer_budget;
  return job.resumes;
}

}  // namespace

void run_here(std::coroutine_handle<> first) noexcept {
  run_loop mine;
  run_loop* const outer = std::exchange(innermost, &mine);
  for (std::coroutine_handle<> next = first; next; next = mine.finish_suspension()) next.resume();
  innermost = outer;
}

std::coroutine_handle<> suspend(after_suspension act, void* argument) noexcept {
  if (innermost == nullptr) [[unlikely]] {
    if (const std::coroutine_handle<> next = act(argument)) run_here(next);
  } else {
    innermost->act = act;
    innermost->argument = argument;
  }
  return std::noop_coroutine();
}

std::coroutine_handle<> transfer(std::coroutine_handle<> next, promise_base& via) noexcept {
  if (innermost == nullptr) [[unlikely]] {
    run_here(next);
    return std::noop_coroutine();
  }
  if (innermost->transfers_left > 0) [[likely]] {
    --innermost->transfers_left;
    return next;
  }
  via.resumes = next;
  return suspend(refill, &via);
}

}  // namespace filch::co
