#pragma once
#include <filch/base/clock.hpp>
#include <filch/trace/layout.hpp>

#include <algorithm>

namespace filch::inline v0_2::trace {

/// Turns ticks into nanoseconds, by the readings of both clocks when the segment was made and now.
/// The counter of this machine runs at one speed, so this works after the writer's death, too.
class tick_clock {
 public:
  explicit tick_clock(const segment_header& header) noexcept : ticks_{header.calibration_ticks} {
    const std::uint64_t now_ns = base::now_ns(), now_ticks = base::ticks();
    const auto elapsed = static_cast<double>(now_ticks > ticks_ ? now_ticks - ticks_ : 1);
    ns_per_tick_ =
        static_cast<double>(now_ns > header.calibration_ns ? now_ns - header.calibration_ns : 1) /
        elapsed;
  }
  double ns_per_tick() const noexcept { return ns_per_tick_; }
  std::int64_t between(std::uint64_t from, std::uint64_t to) const noexcept {
    return since_start(to) - since_start(from);
  }

 private:
  std::int64_t since_start(std::uint64_t at) const noexcept {
    // A segment may hold any value: 70 years to either side are enough.
    constexpr double most = static_cast<double>(std::int64_t{1} << 61);
    return static_cast<std::int64_t>(std::clamp(
        static_cast<double>(static_cast<std::int64_t>(at - ticks_)) * ns_per_tick_, -most, most));
  }
  std::uint64_t ticks_;
  double ns_per_tick_ = 1;
};

}  // namespace filch::trace
