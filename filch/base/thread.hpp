#pragma once
#include <chrono>
#include <system_error>
#include <thread>

namespace filch::base {

using thread = std::thread;

/// Starts `body` on a new operating-system thread.
/// Throws: `std::system_error` that names the thread and its number, when the system refuses one.
template <class Body>
std::thread start_thread(unsigned number, Body&& body);

/// Gives up the processor for a moment, so that a preempted thread may come on.
inline void yield_thread() noexcept { std::this_thread::yield(); }
/// Sleeps without being woken; for waits so rare that nobody sends a wake.
inline void nap_thread(std::chrono::nanoseconds length) { std::this_thread::sleep_for(length); }

[[noreturn]] void throw_thread_refused(unsigned number, const std::system_error& reason);

template <class Body>
std::thread start_thread(unsigned number, Body&& body) {
#if defined(__cpp_exceptions)
  try {
    return std::thread(std::forward<Body>(body));
  } catch (const std::system_error& refused) {
    throw_thread_refused(number, refused);
  }
#else
  (void)number;
  return std::thread(std::forward<Body>(body));
#endif
}

}  // namespace filch::base
