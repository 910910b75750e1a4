#pragma once
// What `run_loop.cpp` and `fork.cpp` share: the run loop of the thread. For these two alone.
#include <filch/base/simulated_tasks.hpp>
#include <filch/co/run_loop.hpp>
#include <filch/sched/current.hpp>

#include <coroutine>
#include <utility>

namespace filch::inline v0_2::co {

/// The part of a run loop that not every transfer reads. It lies on the stack of its thread, behind
/// a pointer: by value it and the frame lists took 560 of some 1,600 bytes of thread-local memory
/// that glibc keeps for all plugins. The pointers cost 1 to 5 % more instructions.
struct loop_frame {
  queue::fork_stack& forks;
  /// From here on lie the parents of what runs above this loop.
  queue::fork_entry* const base;
  /// The root that the frames below the loop wait for, or null.
  const promise_base* const waited_for;
  after_suspension act = nullptr;
  void* argument = nullptr;

  bool has_forks() const noexcept { return forks.bottom() != base; }
  /// Does what `suspend` left to do. Returns the coroutine to run next, or null.
  std::coroutine_handle<> finish_suspension() noexcept {
    const after_suspension now = std::exchange(act, nullptr);
    return now == nullptr ? nullptr : now(argument);
  }
  std::coroutine_handle<> next() noexcept;
};

/// One `run_here` on the stack of its thread.
struct run_loop {
  /// The coroutine right above it. What that one resumes by hand is unknown.
  void* runs = nullptr;
  unsigned transfers_left = 0;
  unsigned depth = 0;           ///< 1: the only loop. 0: no loop runs on this thread.
  loop_frame* frame = nullptr;  ///< Not null while a loop runs.

  void goes_on_with(std::coroutine_handle<> next) noexcept {
    runs = next.address();
    base::task_runs(runs);
  }
  /// Only while a loop runs.
  bool has_forks() const noexcept { return frame->has_forks(); }
};

/// The innermost loop of this thread, by value, as each transfer reads it; those below lie on the
/// stack. It must be small (base/thread_words.hpp).
FILCH_TLS_INITIAL_EXEC extern constinit thread_local run_loop innermost;

/// Whether the innermost loop resumed `self`. If not, it was resumed by hand.
inline bool is_run_by_loop(std::coroutine_handle<> self) noexcept {
  return innermost.runs == self.address();
}

/// What `transfer` does once the budget is used up. The innermost loop runs `self`.
std::coroutine_handle<> transfer_by_the_loop(std::coroutine_handle<> self,
                                             std::coroutine_handle<> next,
                                             promise_base& via) noexcept;

/// As `transfer`. The innermost loop runs `self`.
[[gnu::always_inline]] inline std::coroutine_handle<> transfer_in_loop(std::coroutine_handle<> self,
                                                                       std::coroutine_handle<> next,
                                                                       promise_base& via) noexcept {
  if (innermost.transfers_left == 0) [[unlikely]]
    return transfer_by_the_loop(self, next, via);
  --innermost.transfers_left;
  innermost.goes_on_with(next);
  return next;
}

/// Takes the youngest parent above the innermost loop's base, as a thief would take the oldest.
/// Null: none is left.
std::coroutine_handle<> take_parent() noexcept;

inline std::coroutine_handle<> loop_frame::next() noexcept {
  const std::coroutine_handle<> goes_on = finish_suspension();
  return goes_on || !has_forks() ? goes_on : take_parent();
}

}  // namespace filch::co
