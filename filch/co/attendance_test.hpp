#pragma once
// Counts the tasks that have begun and ended.
#include <atomic>

namespace filch::inline v0_2::testing {

struct attendance {
  std::atomic<int> begun{0}, ended{0};
};

}  // namespace filch::testing
