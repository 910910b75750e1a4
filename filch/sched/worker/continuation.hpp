#pragma once
#include <filch/queue/fork_stack.hpp>

#include <cstdint>

namespace filch::inline v0_2::sched {

/// The rest of a coroutine that has forked, on a fork stack: a job without a join. Its thief lets
/// go of the entry before running it: the forked child may end at once, and its worker then needs
/// the entry again. An odd environment marks it.
class continuation {
 public:
  /// `run` gets the odd environment, see `of`. `what` has an even address.
  static queue::job job(void (*run)(void* environment), void* what) noexcept {
    return {run, static_cast<char*>(what) + 1};
  }
  static bool is(const void* environment) noexcept {
    return (reinterpret_cast<std::uintptr_t>(environment) & 1) != 0;
  }
  static void* of(void* environment) noexcept { return static_cast<char*>(environment) - 1; }
};

}  // namespace filch::sched
