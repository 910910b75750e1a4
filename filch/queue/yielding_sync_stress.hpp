#pragma once
// A policy in which any access may be the last one for a while: now and then its thread yields
// first.
#include <filch/base/rng.hpp>
#include <filch/base/sync.hpp>
#include <filch/base/thread.hpp>

#include <atomic>

namespace filch::inline v0_2::queue {

/// Yields once in that many calls.
inline void yield_once_in(unsigned calls) noexcept {
  static std::atomic<std::uint64_t> threads{0};
  thread_local base::split_mix64 random{threads.fetch_add(1)};
  if (random() % calls == 0) base::yield_thread();
}

/// The shipped policy, yielding before one access in 256: often enough to stop at any place, and
/// rarely enough to make progress.
struct yielding_sync : base::real_sync {
  static void may_yield() noexcept { yield_once_in(256); }

  template <class T>
  class atomic : public base::atomic<T> {
   public:
    using base::atomic<T>::atomic;
    T load(std::memory_order order) const noexcept {
      return may_yield(), base::atomic<T>::load(order);
    }
    void store(T value, std::memory_order order) noexcept {
      may_yield(), base::atomic<T>::store(value, order);
    }
    T exchange(T value, std::memory_order order) noexcept {
      return may_yield(), base::atomic<T>::exchange(value, order);
    }
    bool compare_exchange(T& expected, T desired, std::memory_order order) noexcept {
      return may_yield(), base::atomic<T>::compare_exchange(expected, desired, order);
    }
  };
};

}  // namespace filch::queue
