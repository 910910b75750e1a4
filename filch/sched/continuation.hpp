#pragma once
#include <filch/queue/fork_stack.hpp>

#include <cstdint>

namespace filch::sched {

/// The rest of something that has forked, on a fork stack: a job that nobody joins. Who steals it
/// lets go of its entry before running it, as what was forked may end at once, and its worker then
/// needs the entry again. It is told apart by its environment, which is odd.
class continuation {
 public:
  /// `run` gets the environment as `queue::job` has it: see `of`. At an even address.
  static queue::job job(void (*run)(void* environment), void* what) noexcept {
    return {run, static_cast<char*>(what) + 1};
  }
  static bool is(const void* environment) noexcept {
    return (reinterpret_cast<std::uintptr_t>(environment) & 1) != 0;
  }
  static void* of(void* environment) noexcept { return static_cast<char*>(environment) - 1; }
};

}  // namespace filch::sched
