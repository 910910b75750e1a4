#pragma once
#include <filch/co/spawn.hpp>
#include <filch/co/task.hpp>
#include <filch/sched/pool/pool.hpp>

#include <coroutine>
#include <utility>

namespace filch::inline v0_2 {

namespace co::detail {

/// Runs the root `runs` on this thread until its first suspension, and waits for its end. The
/// thread is in `pool`.
FILCH_EXPORT void run_and_wait(sched::scheduler& pool, promise_base& runs,
                               std::coroutine_handle<> self) noexcept;

}  // namespace co::detail

/// Runs a task in this thread's pool, or else in `default_pool()`, and returns its result: the way
/// into coroutines from plain functions. With options, `block_on(with(pool), t)`, or in short
/// `block_on(pool, t)`, in that pool.
///
/// It begins on this thread. After its first suspension it resumes on the workers, as any
/// coroutine, and this thread waits.
/// Cost:    as `thread_pool::run`, and some 10 ns; if it waits, a hand-over of the slot and a wake.
/// Blocks:  until the task has returned. A worker gives its slot away meanwhile. So a pool of one
///          worker runs on while it has spares left (`pool_options::max_spares`).
/// Threads: any, also from jobs and from coroutines, where `co_await` is cheaper.
/// Throws:  what the task throws; as `thread_pool::run`.
template <class T>
T block_on(sched::uses<sched::a_pool> in, task<T> runs) {
  const std::coroutine_handle<co::promise<T>> frame = co::detail::task_access::frame_of(runs);
  thread_pool& pool = in.pool_or_here();
  pool.run([&]() noexcept { co::detail::run_and_wait(pool.core(), frame.promise(), frame); });
  return frame.promise().take();
}
template <class T>
T block_on(task<T> runs) {
  return block_on(sched::lasting_pool_here(), std::move(runs));
}
/// Waits for a spawned task. Runs nothing of its own in a pool.
/// Blocks: as `wait`: a worker gives its slot away meanwhile, an external thread just sleeps.
/// Throws: what the task throws.
template <class T>
T block_on(join_handle<T> awaited) {
  co::promise<T>& ends = awaited.promise();
  ends.wait_for_end();
  return ends.take();
}

}  // namespace filch
