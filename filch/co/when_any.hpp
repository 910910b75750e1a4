#pragma once
#include <filch/co/first_result.hpp>
#include <filch/co/when_all.hpp>

#include <utility>
#include <variant>
#include <vector>

namespace filch::inline v0_2 {

namespace co::detail {

/// Whether `one` is the task that ended first.
template <class T>
bool ended_first(const task_set& all, task<T>& one) noexcept {
  return all.first() == &task_access::frame_of(one).promise();
}

/// The result of the task that ended first, and which one it is.
template <class Value, std::size_t Index, class T, class... Rest>
first_result<Value> take_first(const task_set& all, task<T>& one, Rest&... rest) {
  if constexpr (sizeof...(rest) > 0) {
    if (!ended_first(all, one)) return take_first<Value, Index + 1>(all, rest...);
  }
  return {Index, Value{std::in_place_index<Index>, take_result(one)}};
}

}  // namespace co::detail

/// Runs all of `each`, possibly in parallel, until one ends by returning or throwing. Cancels the
/// others, awaits them too, and gives the result of the first: `index` tells which it was. What the
/// others return or throw is dropped. Cancelled with the task that awaits it. Cost, blocks, throws:
/// as `when_all`.
/// Example: examples/task_forks.cpp
template <class... T>
requires(sizeof...(T) >
         0) task<first_result<std::variant<co::detail::brought<T>...>>> when_any(task<T>... each) {
  co::detail::task_set all{co_await co::get_stop_token(), co::detail::task_set::over_after::any_end,
                           co::detail::task_set::frames::kept};
  (co::detail::spawn_kept(all, each), ...);
  co_await all.join();
  co_return co::detail::take_first<std::variant<co::detail::brought<T>...>, 0>(all, each...);
}

/// The same for any number of tasks of one kind; at least one.
template <class T>
task<first_result<co::detail::brought<T>>> when_any(std::vector<task<T>> each) {
  FILCH_ASSERT(!each.empty(), "the first of no tasks never ends", each.size());
  co::detail::task_set all{co_await co::get_stop_token(), co::detail::task_set::over_after::any_end,
                           co::detail::task_set::frames::kept};
  for (task<T>& child : each) co::detail::spawn_kept(all, child);
  co_await all.join();
  std::size_t index = 0;
  while (!co::detail::ended_first(all, each[index])) ++index;
  co_return first_result<co::detail::brought<T>>{index, co::detail::take_result(each[index])};
}

}  // namespace filch
