#pragma once
// What `run_loop.cpp` and `fork.cpp` share: the run loop of the thread. For these two alone.
#include <filch/base/simulated_tasks.hpp>
#include <filch/co/run_loop.hpp>
#include <filch/sched/current.hpp>

#include <coroutine>
#include <utility>

namespace filch::co {

/// One `run_here` on the stack of its thread.
struct run_loop {
  queue::fork_stack* const forks = sched::current_stack;
  queue::fork_entry* const base =
      forks->bottom();  ///< From there on lie the coroutines that have forked what runs above this loop.
  unsigned depth = 1;
  unsigned transfers_left = transfer_budget;
  void* runs = nullptr;  ///< The coroutine right above it. Not what that one resumes by hand, of which nobody tells us.
  after_suspension act = nullptr;
  void* argument = nullptr;

  void goes_on_with(std::coroutine_handle<> next) noexcept {
    runs = next.address();
    base::task_runs(runs);
  }
  bool has_forks() const noexcept { return forks->bottom() != base; }
  /// Does what was left to do. Returns who goes on, or null.
  std::coroutine_handle<> finish_suspension() noexcept {
    const after_suspension now = std::exchange(act, nullptr);
    return now == nullptr ? nullptr : now(argument);
  }
  std::coroutine_handle<> next() noexcept;
};

/// Null where no coroutine runs.
FILCH_TLS_INITIAL_EXEC extern constinit thread_local run_loop* innermost;

/// Whether `self` is what the innermost loop resumed: not by hand.
inline bool is_run_by_loop(std::coroutine_handle<> self) noexcept {
  return innermost != nullptr && innermost->runs == self.address();
}

/// As `transfer`, where `loop` runs `self` and has budget left.
inline std::coroutine_handle<> transfer_in(run_loop& loop, std::coroutine_handle<> next) noexcept {
  --loop.transfers_left;
  loop.goes_on_with(next);
  return next;
}

/// Takes the youngest of the coroutines that have forked what ran above `loop`, as a thief would the oldest. Null: there is none left.
std::coroutine_handle<> take_parent(run_loop& loop) noexcept;

inline std::coroutine_handle<> run_loop::next() noexcept {
  const std::coroutine_handle<> goes_on = finish_suspension();
  return goes_on || !has_forks() ? goes_on : take_parent(*this);
}

}  // namespace filch::co
