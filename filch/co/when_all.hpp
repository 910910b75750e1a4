#pragma once
#include <filch/co/scope.hpp>
#include <filch/co/stop_token.hpp>

#include <tuple>
#include <variant>
#include <vector>

namespace filch::inline v0_2 {

namespace co::detail {

/// What a task gives in a tuple or a list: its value or reference, or `std::monostate` for void.
template <class T>
using brought = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

/// Spawns `child` in `all`. The frame stays with the task.
template <class T>
void spawn_kept(task_set& all, task<T>& child) {
  const std::coroutine_handle<promise<T>> frame = task_access::frame_of(child);
  all.adopt(frame.promise(), frame);
}

/// The result of a task that has ended. Throws: what the task threw.
template <class T>
brought<T> take_result(task<T>& ended) {
  if constexpr (std::is_void_v<T>) {
    task_access::frame_of(ended).promise().take();
    return {};
  } else {
    return task_access::frame_of(ended).promise().take();
  }
}

}  // namespace co::detail

/// Runs all of `each`, possibly in parallel, and gives their results in that order: a value, a
/// reference, or `std::monostate` for void.
///
/// The first that throws cancels the others, and none of them begins any more. When all have ended,
/// its exception is thrown. Cancelled with the task that awaits it.
/// Cost:   as `spawn` for each.
/// Blocks: only if one cannot begin: the thread then waits for the others to end.
/// Throws: as `spawn`, for one that cannot begin.
template <class... T>
task<std::tuple<co::detail::brought<T>...>> when_all(task<T>... each) {
  co::detail::task_set all{co_await co::get_stop_token(), co::detail::task_set::over_after::failure,
                           co::detail::task_set::frames::kept};
  (co::detail::spawn_kept(all, each), ...);
  co_await all.join();
  co_return std::tuple<co::detail::brought<T>...>{co::detail::take_result(each)...};
}

/// The same for any number of tasks of one kind.
template <class T>
task<std::vector<co::detail::brought<T>>> when_all(std::vector<task<T>> each) {
  co::detail::task_set all{co_await co::get_stop_token(), co::detail::task_set::over_after::failure,
                           co::detail::task_set::frames::kept};
  for (task<T>& child : each) co::detail::spawn_kept(all, child);
  co_await all.join();
  std::vector<co::detail::brought<T>> results;
  results.reserve(each.size());
  for (task<T>& child : each) results.push_back(co::detail::take_result(child));
  co_return results;
}

}  // namespace filch
