#pragma once
// Mistakes that a stress test must notice before its run counts, each over the policy `Base` of the
// run itself. `is_calibrated` of each stress test says which shape sees which mistake.
#include <filch/base/calibrated_stress.hpp>
#include <filch/base/sync.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::queue {

struct item;

/// About a microsecond. It is this wide so that a thread that is interrupted is usually interrupted
/// here: other programs may have all processors but one.
inline void open_window() noexcept {
  for (int i = 0; i < 80; ++i) base::cpu_relax();
}

/// A claim that is no exchange: two threads that look at the same time both win.
template <class Base>
struct claimless : Base {
  template <class T>
  class atomic : public Base::template atomic<T> {
    using base_atomic = typename Base::template atomic<T>;

   public:
    using base_atomic::base_atomic;
    bool compare_exchange(T& expected, T desired, std::memory_order) noexcept {
      const T found = this->load(std::memory_order_acquire);
      if (found != expected) return expected = found, false;
      open_window();
      this->store(desired, std::memory_order_release);
      return true;
    }
  };
};

/// A claim that reports success, but one time in four does nothing: the next thread claims the same
/// item. It needs no race, only a claim.
template <class Base>
struct forgetful : Base {
  template <class T>
  class atomic : public Base::template atomic<T> {
    using base_atomic = typename Base::template atomic<T>;

   public:
    using base_atomic::base_atomic;
    bool compare_exchange(T& expected, T desired, std::memory_order order) noexcept {
      thread_local unsigned claims = 0;
      if (++claims % 4 != 0) return base_atomic::compare_exchange(expected, desired, order);
      const T found = this->load(std::memory_order_acquire);
      const bool seems_won = found == expected;
      expected = found;
      return seems_won;
    }
  };
};

/// A deque that grows without publishing it: thieves go on reading the first array.
template <class Base>
struct growing_in_secret : Base {
  template <class T>
  class atomic : public Base::template atomic<T> {
    using base_atomic = typename Base::template atomic<T>;
    static constexpr bool is_word = std::is_integral_v<T> || std::is_same_v<T, item*>;

   public:
    using base_atomic::base_atomic;
    void store(T value, std::memory_order order) noexcept {
      if constexpr (is_word) base_atomic::store(value, order);
    }
  };
};

/// No order between a store and a later load, as between pop and steal. The stress test of the
/// deque exists to catch this fault.
template <class Base>
struct unordered : Base {
  template <class T>
  class atomic : public Base::template atomic<T> {
    using base_atomic = typename Base::template atomic<T>;

   public:
    using base_atomic::base_atomic;
    T load(std::memory_order order) const noexcept {
      return base_atomic::load(std::min(order, std::memory_order_acquire));
    }
    void store(T value, std::memory_order order) noexcept {
      base_atomic::store(value, std::min(order, std::memory_order_release));
    }
  };
};

/// A lock that excludes no thread. Plain data is written late under it.
template <class Base>
struct lockless : Base {
  struct mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
  };
  template <class T>
  class plain : public Base::template plain<T> {
   public:
    using Base::template plain<T>::plain;
    void write(T value) noexcept {
      open_window(), Base::template plain<T>::write(std::move(value));
    }
  };
};

/// Exposing by force without the fence. The stress test of the fork stack exists to catch this
/// fault.
template <class Base>
struct fenceless : Base {
  template <auto Edge>
  static void heavy_fence() noexcept {}
};

/// Whether processors delay stores and nothing else. Then it is known which shapes show a missing
/// order.
#if defined(__x86_64__)
inline constexpr bool buffers_stores = true;
#else
inline constexpr bool buffers_stores = false;
#endif

}  // namespace filch::queue
