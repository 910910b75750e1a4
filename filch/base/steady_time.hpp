#pragma once
#include <filch/base/clock.hpp>

#include <chrono>
#include <cstdint>

namespace filch::inline v0_2::base {

/// A point of time in the type of users. Counts as `now_ns` does, even on the clock of a
/// simulation.
using steady_time = std::chrono::steady_clock::time_point;

/// The last time that nanoseconds can express, about 292 years after the clock's begin.
inline constexpr std::uint64_t latest_ns =
    static_cast<std::uint64_t>((std::chrono::nanoseconds::max)().count());

/// Not less than `length`, and at most what nanoseconds can count.
template <class Rep, class Period>
constexpr std::chrono::nanoseconds at_least(std::chrono::duration<Rep, Period> length) noexcept {
  using std::chrono::nanoseconds;
  if (length >= std::chrono::duration_cast<std::chrono::duration<double>>((nanoseconds::max)()))
    return (nanoseconds::max)();
  return length <= length.zero() ? nanoseconds::zero() : std::chrono::ceil<nanoseconds>(length);
}

/// At most `latest_ns`.
inline steady_time steady_time_at(std::uint64_t at_ns) noexcept {
  const std::chrono::nanoseconds since{static_cast<std::int64_t>(at_ns)};
  return steady_time{std::chrono::duration_cast<steady_time::duration>(since)};
}
/// Returns zero for a time before the clock's begin.
inline std::uint64_t ns_of(steady_time when) noexcept {
  const auto since =
      std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count();
  return since < 0 ? 0 : static_cast<std::uint64_t>(since);
}

}  // namespace filch::base
