#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2::span {

/// A range of time, with its begin and without its end.
struct time_range {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;

  constexpr std::int64_t length_ns() const noexcept { return end_ns - begin_ns; }
  friend constexpr bool operator==(const time_range&, const time_range&) = default;
};

/// The intersection of two ranges; if there is none, an empty range at the later begin.
constexpr time_range overlap(time_range a, time_range b) noexcept {
  const std::int64_t begin = a.begin_ns > b.begin_ns ? a.begin_ns : b.begin_ns;
  const std::int64_t end = a.end_ns < b.end_ns ? a.end_ns : b.end_ns;
  return {begin, end > begin ? end : begin};
}

}  // namespace filch::span
