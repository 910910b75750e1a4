#pragma once
#include <filch/graph/dependent_call.hpp>

#include <type_traits>
#include <utility>

namespace filch::inline v0_2 {

namespace graph {

using spawn_options = co::detail::spawn_options;

template <class F, class... After>
auto spawn_dependent(const spawn_options& how, F&& f, After&&... after) {
  if constexpr ((check_input<After>() && ...)) {
    if constexpr (check_call<std::decay_t<F>, input_of<After>...>()) {
      using call = dependent_call<std::decay_t<F>, input_of<After>...>;
      sched::scheduler& pool = dependent::admitting_pool(how.pool);
      call& made = *new call(pool, how.urgency, std::forward<F>(f), std::forward<After>(after)...);
      shared_join_handle<typename call::result> handle = handle_access::handle_of(made);
      made.begin();
      return handle;
    }
  }
}

}  // namespace graph

/// Calls `f` on a worker as soon as the tasks `after` have ended. Returns at once. So a program
/// makes a graph of tasks while it runs.
///
///     auto sky = filch::spawn_after([] { return load("sky"); });
///     auto sea = filch::spawn_after([] { return load("sea"); });
///     auto both = filch::spawn_after(merge, sky, sea);  // merge(const image&, const image&)
///     show(both.get());
///
/// Each of `after` is a handle that `spawn_after` has returned, a range of such handles, or a
/// `join_handle` of `spawn`, which is moved in and consumed. `f` is called with their results in
/// this order: a handle gives a `const T&`, a range a `std::span<const shared_join_handle<T>>` of
/// tasks that have ended, a `join_handle` a `T&&`. A task that returns nothing gives no argument.
/// If `f` takes no arguments, it is called without.
///
/// If `f` returns a `task`, that runs as a coroutine, and the spawned task ends with it. References
/// to the arguments and captures of `f` are valid until then; else `f` is destroyed when it has
/// returned, before the task ends.
///
/// Of the tasks that become ready by the end of another one, one runs next on the same worker,
/// without a queue. The others are queued; so is one of another pool or priority. After 64 tasks
/// the worker looks whether other jobs wait, and lets them go first.
///
/// If a task of `after` has failed, `f` is not called: the spawned task fails by that exception; of
/// several by the first in the order of the arguments. After `request_stop` tasks that have begun
/// go on. The others fail by `pool_stopped`, as soon as the tasks have ended for which they wait.
/// Cost:    one allocation and some 40 ns a task, with the end of one task in `after`; 15 ns more
///          for each further one; 1 to 2 us more if a sleeping worker must be woken.
/// Blocks:  never.
/// Threads: any. In a job `get` of the result gives its slot away meanwhile.
/// Throws:  `pool_stopped` after `request_stop`; `std::bad_alloc`; `std::system_error` if the pool
///          has no thread and the system refuses one; what the copies of `f` and of a range throw.
///          Then `f` is not called. A `join_handle` in `after` may be consumed; its task runs on.
/// Lifetime: `f` is moved or copied in. The pool's destructor waits for the task, and for the tasks
///          for which that waits.
/// Source:  the interfaces of Taskflow's dependent asynchronous tasks, and of the dependencies
///          within oneTBB's task groups. We differ: results are arguments, an exception passes to
///          the successors, and a task can be awaited.
/// Example: examples/merge_as_it_comes.cpp
template <class F, class... After>
requires(!std::is_convertible_v<F, graph::spawn_options>) auto spawn_after(F&& f,
                                                                           After&&... after) {
  return graph::spawn_dependent(with(), std::forward<F>(f), std::forward<After>(after)...);
}
/// The same with options: `spawn_after(with(pool, priority::high), f, a, b)`, or in a pool,
/// `spawn_after(pool, f, a, b)`. The tasks of `after` may be of other pools.
template <class F, class... After>
auto spawn_after(graph::spawn_options how, F&& f, After&&... after) {
  return graph::spawn_dependent(how, std::forward<F>(f), std::forward<After>(after)...);
}

}  // namespace filch
