#pragma once
// For tests in which both sides of a fork must overlap: they may run one after the other, but an
// idle worker comes for one.
#include <filch/fork.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace filch::inline v0_2::testing {

/// Waits until `has_come()`, which the other side of a fork brings about; in the left side, or in
/// both if each waits for the other. The fork was about to be made at `before_fork`.
///
/// Thieves may miss the fork if its owner was interrupted in the middle of it; the owner's next
/// fork makes up for that (sched/driver/README.md, "Tolerated"). Any other fork must be found.
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
