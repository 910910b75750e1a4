#pragma once
// For tests whose two sides of a fork must overlap: they may run one after the other, but whoever
// is idle comes for one.
#include <filch/fork.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace filch::testing {

/// Waits until `has_come()`, which the right side of a fork sees to elsewhere; in its left side, or
/// in both where each waits for the other. The fork was about to be made at `before_fork`.
///
/// It may be missed where its owner was interrupted in the middle of it, and then the owner's next
/// one makes up for that (sched/README.md, "Tolerated"). Any other must be found.
template <class Condition>
void await_other_side(std::chrono::steady_clock::time_point before_fork, Condition has_come) {
  using std::chrono::steady_clock;
  const auto now = steady_clock::now();
  while (!has_come() && steady_clock::now() - now < std::chrono::seconds(10))
    std::this_thread::yield();
  if (has_come()) return;
  EXPECT_GT(now - before_fork, std::chrono::microseconds(5))
      << "a fork was missed that nothing had interrupted";
  join([] {}, [] {});
  while (!has_come()) std::this_thread::yield();
}

}  // namespace filch::testing
