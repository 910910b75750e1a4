#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2::policy {

/// An interval that doubles while something goes on, and is short again after it has ended: at
/// least `Min` and at most `Max` once it has grown. The unit is the user's.
template <std::uint64_t Min, std::uint64_t Max>
class adaptive_interval {
 public:
  static constexpr std::uint64_t min = Min, max = Max;
  static_assert(0 < Min && Min <= Max);

  constexpr adaptive_interval() noexcept = default;
  constexpr explicit adaptive_interval(std::uint64_t value) noexcept : value_{value} {}

  constexpr void grow(std::uint64_t factor = 2) noexcept {
    const std::uint64_t grown = factor * value_;
    value_ = grown < Min ? Min : grown > Max ? Max : grown;
  }
  constexpr void shrink() noexcept { value_ = value_ / 2 < Min ? Min : value_ / 2; }
  constexpr void reset() noexcept { value_ = Min; }
  /// No interval at all, until it grows to `min`.
  constexpr void turn_off() noexcept { value_ = 0; }
  constexpr std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = Min;
};

/// Counts how often something has happened in a row, up to `Most` times.
template <unsigned Most>
class streak {
 public:
  static constexpr unsigned most = Most;

  /// It happened once more. Returns false if it had happened `most` times already.
  constexpr bool extend() noexcept {
    if (count_ == Most) return false;
    ++count_;
    return true;
  }
  constexpr void end() noexcept { count_ = 0; }
  constexpr void fill() noexcept { count_ = Most; }
  constexpr bool is_full() const noexcept { return count_ == Most; }

 private:
  unsigned count_ = 0;
};

}  // namespace filch::policy
