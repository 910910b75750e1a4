#pragma once
// Children that wait for a stop, fail or only begin, for the tests of scopes, `when_all` and
// `when_any`.
#include <filch/co/stop_token.hpp>
#include <filch/co/task.hpp>
#include <filch/co/yield.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>

namespace filch::inline v0_2::co {

inline std::atomic<int> waiting{0};  ///< How many `wait_for_stop` have begun and not ended.

/// Runs until it is asked to stop.
inline task<> wait_for_stop(std::atomic<int>& stopped) {
  ++waiting;
  const std::stop_token token = co_await get_stop_token();
  while (!token.stop_requested()) co_await yield();
  --waiting;
  ++stopped;
}
/// Fails once `others` children wait: children that have not begun by then never would.
inline task<> fail(const char* why, int others) {
  while (waiting < others) co_await yield();
  throw std::runtime_error(why);
}

/// Counts that it began. Its frame holds the pointer.
inline task<> begin(std::atomic<int>& begun, std::shared_ptr<int>) {
  ++begun;
  co_return;
}

}  // namespace filch::co
