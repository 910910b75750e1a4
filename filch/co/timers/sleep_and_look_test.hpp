#pragma once
#include <filch/co/task.hpp>
#include <filch/timers.hpp>

#include <atomic>
#include <chrono>

namespace filch::inline v0_2::co {

/// Counts in `early` a sleep that ends before its time.
inline task<> sleep_and_look(std::chrono::microseconds length, std::atomic<int>& early) {
  const auto begin = std::chrono::steady_clock::now();
  co_await sleep_for(length);
  if (std::chrono::steady_clock::now() - begin < length) ++early;
}

}  // namespace filch::co
