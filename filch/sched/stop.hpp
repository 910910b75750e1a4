#pragma once
#include <filch/base/clock.hpp>
#include <filch/base/steady_time.hpp>
#include <filch/sched/pool.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace filch {

/// What `thread_pool::stop` found.
struct stop_report {
  /// Spawned tasks of one function.
  struct tasks {
    std::string function;  ///< The coroutine's name; "operator()" of a lambda.
    std::uint64_t count = 0;
  };
  std::uint64_t discarded = 0;  ///< Submitted jobs and spawned tasks that were freed before they began.
  std::uint64_t abandoned = 0;  ///< Those that had begun, and had not ended when `stop` returned.
  /// Which of these are known by name: tasks that have waited for something that can be cancelled, or have asked for their stop token. Most first.
  std::vector<tasks> named;

  bool is_finished() const noexcept { return abandoned == 0; }
};

/// One line, for a log: "3 abandoned (2 session, 1 other), 5 discarded". Throws: `std::bad_alloc`.
std::string to_string(const stop_report& of);

namespace sched {

template <class When>
std::uint64_t deadline_ns(When when) noexcept {
  if constexpr (std::is_same_v<When, base::steady_time>) {
    return base::ns_of(when);
  } else {
    const auto from_now = std::chrono::duration_cast<std::chrono::nanoseconds>(when).count();
    return base::now_ns() + (from_now < 0 ? 0 : static_cast<std::uint64_t>(from_now));
  }
}

}  // namespace sched

template <class When>
stop_report thread_pool::stop(When deadline) {
  return stop(deadline, std::chrono::seconds(1));
}
template <class When, class Duration>
stop_report thread_pool::stop(When deadline, Duration grace) {
  const auto after = std::chrono::duration_cast<std::chrono::nanoseconds>(grace).count();
  return stop_by(sched::deadline_ns(deadline), after < 0 ? 0 : static_cast<std::uint64_t>(after));
}

}  // namespace filch
