#pragma once
// Mistakes that a stress test must find at once before its run counts for anything. They take no shape that is lucky: what only a store
// buffer shows, and only in some bursts, is looked for in deque_calibration_stress.cpp and fork_stack_calibration_stress.cpp.
#include <filch/base/clock.hpp>
#include <filch/base/sanitized_test.hpp>
#include <filch/base/sync.hpp>

#include <thread>

namespace filch::queue {

/// A claim that is no exchange: two who look at the same time both win.
struct claimless_sync : base::real_sync {
  template <class T>
  class atomic : public base::atomic<T> {
   public:
    using base::atomic<T>::atomic;
    bool compare_exchange(T& expected, T desired, std::memory_order) noexcept {
      const T found = this->load(std::memory_order_acquire);
      if (found != expected) return expected = found, false;
      for (int i = 0; i < 8; ++i) base::cpu_relax();  // a window of some 100 ns
      this->store(desired, std::memory_order_release);
      return true;
    }
  };
};

/// A lock that excludes nobody.
struct lockless_sync : base::real_sync {
  struct mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
  };
};

/// Whether a mistake has a chance at all: one core seldom switches just there, and a sanitizer stops at the race that the mistake is.
inline bool can_calibrate() noexcept { return std::thread::hardware_concurrency() > 1 && !base::is_sanitized; }

/// Whether `broken` is caught within a second, or a thousand rounds where others have the processors meanwhile. True where nothing can be.
template <class Rush>
bool is_caught(Rush&& broken) {
  if (!can_calibrate()) return true;
  const std::uint64_t second_ns = 1'000'000'000, deadline_ns = base::now_ns() + second_ns;
  for (int rounds = 0; rounds < 1000 || base::now_ns() < deadline_ns; ++rounds) {
    if (broken.run_until(0) > 0) return true;
  }
  return false;
}

}  // namespace filch::queue
