#pragma once
#include <filch/base/order.hpp>
#include <filch/base/simulation.hpp>

#include <atomic>

namespace filch::inline v0_2::base {

/// A `std::atomic` in which every access names its order, and which has no operators to hide one.
/// Under a simulation every access is a scheduling point, named by its place in the source.
template <class T>
class atomic {
  static_assert(std::atomic<T>::is_always_lock_free, "protocol words must be lock-free");

 public:
  constexpr atomic() noexcept : value_{} {}
  constexpr explicit atomic(T value) noexcept : value_{value} {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(std::memory_order order, place where = {}) const noexcept {
    step({"load", effect::reads, &value_}, where);
    return value_.load(order);
  }
  void store(T value, std::memory_order order, place where = {}) noexcept {
    // x86 has no other store of that order than an exchange
    // tidy: seam compares, and orders nothing
    const bool is_exchange = order == std::memory_order_seq_cst;
    step({"store", is_exchange ? effect::modifies : effect::writes, &value_}, where);
    value_.store(value, order);
  }
  T exchange(T value, std::memory_order order, place where = {}) noexcept {
    step({"exchange", effect::modifies, &value_}, where);
    return value_.exchange(value, order);
  }
  /// Strong; `expected` receives the value found. A failed exchange orders nothing.
  bool compare_exchange(T& expected, T desired, std::memory_order order,
                        place where = {}) noexcept {
    step({"compare_exchange", effect::modifies, &value_}, where);
    return value_.compare_exchange_strong(expected, desired, order, relaxed);
  }
  T fetch_add(T value, std::memory_order order, place where = {}) noexcept {
    step({"fetch_add", effect::modifies, &value_}, where);
    return value_.fetch_add(value, order);
  }
  T fetch_sub(T value, std::memory_order order, place where = {}) noexcept {
    step({"fetch_sub", effect::modifies, &value_}, where);
    return value_.fetch_sub(value, order);
  }
  T fetch_or(T value, std::memory_order order, place where = {}) noexcept {
    step({"fetch_or", effect::modifies, &value_}, where);
    return value_.fetch_or(value, order);
  }
  T fetch_and(T value, std::memory_order order, place where = {}) noexcept {
    step({"fetch_and", effect::modifies, &value_}, where);
    return value_.fetch_and(value, order);
  }

 private:
  std::atomic<T> value_;
};

}  // namespace filch::base
