#pragma once
// The seam between protocols and memory: all that the lock-free parts may use. Protocols are
// templates over a policy such as `real_sync`. A model checker supplies its own policy with the
// same names, so it checks the text that ships.
#include <filch/base/atomic.hpp>
#include <filch/base/membarrier.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/order.hpp>

#include <utility>

namespace filch::inline v0_2::base {

/// Plain data that one thread hands to another under some edge. Free here; a model checker reports
/// a race on it.
template <class T>
class plain {
 public:
  constexpr plain() noexcept = default;
  constexpr explicit plain(T value) noexcept : value_{std::move(value)} {}
  const T& read(place where = {}) const noexcept {
    touch(&value_, sizeof value_, effect::reads, where);
    return value_;
  }
  void write(T value, place where = {}) noexcept {
    touch(&value_, sizeof value_, effect::writes, where);
    value_ = std::move(value);
  }

 private:
  T value_{};
};

/// The shipped policy: hardware atomics, and the light/heavy fence pair on the kernel's membarrier.
struct FILCH_EXPORT real_sync {
  template <class T>
  using atomic = base::atomic<T>;
  template <class T>
  using plain = base::plain<T>;
  using mutex = base::mutex;

  /// The owner's half of a StoreLoad order for which the other side pays.
  /// Source: P1202, asymmetric_thread_fence_light.
  template <auto Edge>
  static void light_fence() noexcept {
    base::light_fence();
  }
  /// The other half; about a microsecond. Either this side sees the owner's store, or the owner's
  /// later load sees ours.
  template <auto Edge>
  static void heavy_fence() noexcept {
    base::heavy_fence();
  }
};

}  // namespace filch::base
