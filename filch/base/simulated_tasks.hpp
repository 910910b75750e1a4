#pragma once
// What a simulation learns about coroutines, so that its reports can say what suspended ones wait
// for. In `filch::filch` all of it is nothing. In `filch::testing` these are functions of their
// own, defined by the simulation, because compilers keep addresses of a thread's variables across
// suspensions. A coroutine is known by its frame. Of one that was not made here nothing is
// recorded.
#include <filch/base/simulation.hpp>

namespace filch::inline v0_2::base {

/// The words for a wait on a frame, or on a task made of several: the names of the tasks replace
/// them.
inline constexpr char a_task[] = "a task";

#if defined(FILCH_TESTING)
void task_made(const void* frame, place where) noexcept;
void task_gone(const void* frame) noexcept;
/// The calling thread resumes it.
void task_runs(const void* frame) noexcept;
/// It is no longer on the calling thread's stack.
void task_left(const void* frame) noexcept;
/// It is about to be suspended; it awaits at `where`.
void task_waits(const void* frame, awaited why, place where) noexcept;
/// Still suspended there, it waits for something else.
void task_now_waits(const void* frame, awaited why) noexcept;
/// A waiter for `whole` waits for this task.
void task_is_part_of(const void* frame, const void* whole) noexcept;
void task_ended(const void* frame) noexcept;
/// `guard` holds `lock` from now on. The coroutine `frame` has the guard; null: the calling thread
/// has it.
void lock_is_held(const void* guard, const void* lock, const void* frame) noexcept;
void lock_is_let_go(const void* guard) noexcept;
#else
[[gnu::always_inline]] inline void task_made(const void*, place) noexcept {}
[[gnu::always_inline]] inline void task_gone(const void*) noexcept {}
[[gnu::always_inline]] inline void task_runs(const void*) noexcept {}
[[gnu::always_inline]] inline void task_left(const void*) noexcept {}
[[gnu::always_inline]] inline void task_waits(const void*, awaited, place) noexcept {}
[[gnu::always_inline]] inline void task_now_waits(const void*, awaited) noexcept {}
[[gnu::always_inline]] inline void task_is_part_of(const void*, const void*) noexcept {}
[[gnu::always_inline]] inline void task_ended(const void*) noexcept {}
[[gnu::always_inline]] inline void lock_is_held(const void*, const void*, const void*) noexcept {}
[[gnu::always_inline]] inline void lock_is_let_go(const void*) noexcept {}
#endif

/// It waits for its turn on a worker.
[[gnu::always_inline]] inline void task_is_ready(const void* frame) noexcept {
  task_now_waits(frame, {"a worker"});
}

}  // namespace filch::base
