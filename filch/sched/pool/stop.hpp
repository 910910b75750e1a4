#pragma once
#include <filch/base/clock.hpp>
#include <filch/base/steady_time.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/sched/pool/starvation.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace filch::inline v0_2 {

/// What `thread_pool::stop` found.
struct stop_report {
  /// Spawned tasks of one function.
  struct tasks {
    std::string function;  ///< The coroutine's name; "operator()" of a lambda.
    std::uint64_t count = 0;
  };
  /// Submitted jobs and spawned tasks that were freed before they began.
  std::uint64_t discarded = 0;
  /// Jobs and tasks that had not ended when `stop` returned, and what Asio has yet to do for the
  /// pool. Those that had not begun are freed as soon as a worker comes to them.
  std::uint64_t abandoned = 0;
  /// Which of these are known by name: tasks that have waited for something that can be cancelled,
  /// or have asked for their stop token. Most first.
  std::vector<tasks> named;
  /// Where threads of the pool waited when `stop` returned, if anything was abandoned. Most first.
  std::vector<waiting_threads> waiting;

  /// True if nothing was abandoned.
  bool is_finished() const noexcept { return abandoned == 0; }
};

/// One line, for a log: "3 abandoned (2 session, 1 other), 5 discarded, 1 waits in main
/// (program+0x12f0)". Throws: `std::bad_alloc`.
FILCH_EXPORT std::string to_string(const stop_report& of);

namespace sched {

template <class Rep, class Period>
std::uint64_t deadline_ns(std::chrono::duration<Rep, Period> from_now) noexcept {
  const std::uint64_t now = base::now_ns(),
                      ahead = static_cast<std::uint64_t>(base::at_least(from_now).count());
  return ahead < base::latest_ns - now ? now + ahead : base::latest_ns;
}
template <class Duration>
std::uint64_t deadline_ns(
    std::chrono::time_point<base::steady_time::clock, Duration> when) noexcept {
  return static_cast<std::uint64_t>(base::at_least(when.time_since_epoch()).count());
}

}  // namespace sched

template <class When>
stop_report thread_pool::stop(When deadline) {
  return stop(deadline, std::chrono::seconds(1));
}
template <class When, class Duration>
stop_report thread_pool::stop(When deadline, Duration grace) {
  return stop_by(sched::deadline_ns(deadline),
                 static_cast<std::uint64_t>(base::at_least(grace).count()));
}

}  // namespace filch
