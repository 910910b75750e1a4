#pragma once
#include <filch/co/spawn.hpp>
#include <filch/co/task.hpp>
#include <filch/sched/pool.hpp>

#include <coroutine>
#include <utility>

namespace filch {

namespace co {

/// Runs the root `runs` here, as far as it gets, and waits for the rest. The calling thread is in
/// `pool`.
void run_and_wait(sched::scheduler& pool, promise_base& runs,
                  std::coroutine_handle<> self) noexcept;

template <class T>
task<T> await_spawned(spawned<T> awaited) {
  co_return co_await awaited;
}

}  // namespace co

/// Runs a task as part of `pool` and returns what it returns: the way into coroutines from plain
/// functions.
///
/// It begins on this thread. Once it has been suspended it goes on on the workers, as any
/// coroutine, and this thread waits.
/// Cost: as `thread_pool::run`, some 10 ns more; where it waits, a hand-over of the slot, and a
/// wake.
/// Blocks: until the task has returned. A worker gives its slot away meanwhile, so a pool of one
/// worker that waits goes on, while it has
///          spares left (`pool_options::max_spares`).
/// Threads: any, also from jobs and from coroutines, where `co_await` is cheaper.
/// Throws:  what the task throws; as `thread_pool::run`.
template <class T>
T block_on(thread_pool& pool, task<T> runs) {
  const std::coroutine_handle<co::promise<T>> frame = co::task_access::frame_of(runs);
  pool.run([&]() noexcept { co::run_and_wait(pool.core(), frame.promise(), frame); });
  return frame.promise().take();
}
/// The same, in the pool that this thread is in, or else in `default_pool()`.
template <class T>
T block_on(task<T> runs) {
  return block_on(sched::lasting_pool_here(), std::move(runs));
}
/// Waits for a spawned task, without anything of its own that would run in a pool.
/// Blocks: as `wait`: a worker gives its slot away meanwhile, a thread outside of pools just
/// sleeps.
/// Throws:  what the task throws.
template <class T>
T block_on(spawned<T> awaited) {
  co::promise<T>& ends = awaited.promise();
  ends.wait_for_end();
  return ends.take();
}

}  // namespace filch
