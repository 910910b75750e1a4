#pragma once
#include <filch/co/task.hpp>

#include <type_traits>

namespace filch::inline v0_2::graph {

/// What a function makes that returns an `R`: a value, or a coroutine that makes one.
template <class R>
struct returned {
  using type = std::remove_cvref_t<R>;
  static constexpr bool is_coroutine = false;
};
template <class T>
struct returned<task<T>> {
  using type = std::remove_cvref_t<T>;
  using promised = T;
  static constexpr bool is_coroutine = true;
};

}  // namespace filch::graph
