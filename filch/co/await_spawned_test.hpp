#pragma once
// A spawned task as a task, for the tests of this room.
#include <filch/co/spawn.hpp>

namespace filch::inline v0_2::co {

/// Awaits a spawned task, so that `block_on` in a pool begins there.
template <class T>
task<T> await_spawned(join_handle<T> awaited) {
  co_return co_await awaited;
}

}  // namespace filch::co
