#pragma once
// The durations that workers measure, and their classes.
#include <filch/event/schema.hpp>

#include <algorithm>
#include <bit>

namespace filch::inline v0_2::event {

/// A worker measures the lengths of intervals of each activity, and how long it took to run after a
/// wake.
enum class measure : std::uint8_t { away, working, searching, waiting, blocked, parked, waking };
inline constexpr std::size_t measure_count = static_cast<std::size_t>(measure::waking) + 1;

constexpr measure length_of(activity what) noexcept { return static_cast<measure>(what); }
static_assert(length_of(activity::away) == measure::away &&
                  length_of(activity::parked) == measure::parked &&
                  measure_count == activity_count + 1,
              "each activity has its measure, by the same name");

/// Classes of durations by powers of two: class k has those below 2^k microseconds that are in no
/// lower class; the last one has no upper limit.
inline constexpr std::size_t duration_classes = 25;
constexpr std::size_t class_of(std::uint64_t microseconds) noexcept {
  return std::min<std::size_t>(static_cast<std::size_t>(64 - std::countl_zero(microseconds)),
                               duration_classes - 1);
}
/// The end of a class in microseconds. The last class has none.
constexpr std::uint64_t end_of_class(std::size_t index) noexcept {
  return std::uint64_t{1} << index;
}

static_assert(class_of(0) == 0 && class_of(1) == 1 && class_of(3) == 2 &&
              class_of(~std::uint64_t{0}) == duration_classes - 1);

}  // namespace filch::event
