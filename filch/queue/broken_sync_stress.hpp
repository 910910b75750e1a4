#pragma once
// Mistakes that a stress test must notice before its run counts, each over the policy `Base` that
// the run itself has. Which shape sees which stands in README.md, "Stress".
#include <filch/base/calibrated_stress.hpp>
#include <filch/base/sync.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace filch::queue {

struct item;

/// A microsecond or so. It is wide so that who is interrupted mostly is so just here: others may
/// have all processors but one.
inline void open_window() noexcept {
  for (int i = 0; i < 80; ++i) base::cpu_relax();
}

/// A claim that is no exchange: two who look at the same time both win.
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

/// A claim that says it has won, and one time in four has not: the next one wins the same. It takes
/// no race, but somebody who claims.
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

/// A deque that grows and tells nobody: thieves go on reading the array that it began with.
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

/// No order between a store and a later load, as between pop and steal: the fault that the stress
/// of the deque exists to catch.
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

/// A lock that excludes nobody. What is written under it, if it is plain, is written late.
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

/// Exposing by force without its fence: the fault that the stress of the fork stack exists to
/// catch.
template <class Base>
struct fenceless : Base {
  template <auto Edge>
  static void heavy_fence() noexcept {}
};

/// Whether processors delay stores and nothing else, so that it is known which shapes show a
/// missing order.
#if defined(__x86_64__)
inline constexpr bool buffers_stores = true;
#else
inline constexpr bool buffers_stores = false;
#endif

}  // namespace filch::queue
