#pragma once
// What a simulation is told of coroutines, so that its reports can say what those that are
// suspended wait for. In `filch::filch` all of it is nothing. In `filch::testing` these are
// functions of their own, defined by whoever simulates: compilers keep addresses of a thread's
// variables across suspensions. A coroutine is known by its frame; of one that was never made here
// nothing is kept.
#include <filch/base/simulation.hpp>

namespace filch::base {

/// What is awaited where `awaited::thing` is a frame, or what several tasks are a part of: their
/// names take the place of these words.
inline constexpr char a_task[] = "a task";

#if defined(FILCH_TESTING)
void task_made(const void* frame, place where) noexcept;
void task_gone(const void* frame) noexcept;
/// The calling thread goes on with it.
void task_runs(const void* frame) noexcept;
/// It is no longer on the calling thread's stack.
void task_left(const void* frame) noexcept;
/// It is about to be suspended, `where` it awaits.
void task_waits(const void* frame, awaited why, place where) noexcept;
/// Still suspended there, it waits for something else.
void task_now_waits(const void* frame, awaited why) noexcept;
/// Whoever waits for `whole` waits for this task.
void task_is_part_of(const void* frame, const void* whole) noexcept;
void task_ended(const void* frame) noexcept;
/// `guard` holds `lock` from now on, and the coroutine `frame` has the guard; null: the calling
/// thread.
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
